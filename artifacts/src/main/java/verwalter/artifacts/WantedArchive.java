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

  /**
   * The name of a partial download: one for each digest, whatever the source is. Downloads with the
   * same name wait for each other.
   */
  String partialName() {
    return digest.map(Digest::hex).orElseGet(this::nameOfSource);
  }

  private String nameOfSource() {
    // The text of a WebArchive has no query.
    var text =
        source instanceof ArtifactSource.WebArchive web ? web.url().toString() : source.toString();
    var bytes = ("latest " + text).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return Digest.of(Sha256.start().digest(bytes)).hex();
  }
}
