package verwalter.artifacts;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The SHA-256 of an archive, which identifies it.
 *
 * @param hex 64 hexadecimal digits in lower case
 */
public record Digest(String hex) {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final String PREFIX = "sha256:";

  /** Checks the digits. */
  public Digest {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("not a SHA-256: " + hex);
    }
  }

  /**
   * Reads a text such as {@code sha256:5e88…}, exactly as {@link #toString} writes it.
   *
   * @throws ArtifactException with the reason BAD_DIGEST for any other text
   */
  public static Digest parse(String text) throws ArtifactException {
    var hex = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "";
    if (!HEX.matcher(hex).matches()) {
      var shown = text.length() > 100 ? text.substring(0, 100) + "…" : text;
      throw new ArtifactException(
          ArtifactException.Reason.BAD_DIGEST,
          "use the digest",
          '"' + shown + '"',
          "a digest is \"sha256:\" followed by 64 hexadecimal digits in lower case");
    }
    return new Digest(hex);
  }

  static Digest of(byte[] sha256) {
    return new Digest(HexFormat.of().formatHex(sha256));
  }

  /** Such as {@code sha256:5e88…}. */
  @Override
  public String toString() {
    return PREFIX + hex;
  }
}
