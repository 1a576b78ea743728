package verwalter.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The one text of a JSON value that schedules are hashed by (verwalter.md, appendix D). */
final class CanonicalJson {
  static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  static String sha1(@Nullable Object value) {
    try {
      var sha1 = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(sha1.digest(text(value).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private CanonicalJson() {}
}
