package verwalter.artifacts;

import java.util.Optional;

/**
 * An archive to fetch.
 *
 * @param source where it comes from
 * @param digest of its bytes; if empty, any bytes are right, and their digest is the result
 */
public record WantedArchive(ArtifactSource source, Optional<Digest> digest) {
  /** The archive with this digest. */
  public static WantedArchive of(ArtifactSource source, Digest digest) {
    return new WantedArchive(source, Optional.of(digest));
  }

  /** Whatever the source has at present. */
  public static WantedArchive latest(ArtifactSource source) {
    return new WantedArchive(source, Optional.empty());
  }

  /** The name of a partial download. */
  String partialName() {
    // The text of a WebArchive has no query.
    var text =
        source instanceof ArtifactSource.WebArchive web ? web.url().toString() : source.toString();
    var both = digest.map(Digest::hex).orElse("latest") + " " + text;
    return Digest.of(Sha256.start().digest(both.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .hex();
  }

  /** Downloads with the same lock wait for each other. */
  String lock() {
    return digest.map(Digest::hex).orElseGet(this::partialName);
  }
}
