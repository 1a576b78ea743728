package verwalter.artifacts;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * The name of a release's directory. Different keys have different names: letters, digits, {@code
 * _}, {@code -} and {@code .} stand for themselves, {@code +} for a slash, and {@code %xx} for
 * other bytes and for a dot at the beginning. A name that would be too long ends with {@code ~} and
 * the SHA-256 of the key instead.
 */
final class ReleaseName {
  private static final int MOST_NAME = 180;
  private static final int KEPT = 100;
  private static final int MOST_KEY = 4096;
  private static final String PLAIN = "_-.";

  /**
   * @throws ArtifactException with the reason BAD_KEY if the key is empty, longer than 4096
   *     characters, or not Unicode
   */
  static String of(String key) throws ArtifactException {
    if (key.isEmpty() || key.length() > MOST_KEY) {
      throw refused("a key of %d characters".formatted(key.length()), "keys have 1 to 4096");
    }
    var bytes = bytes(key);
    var name = new StringBuilder();
    for (byte it : bytes) {
      char plain = (char) (it & 0xff);
      if (plain == '/') {
        name.append('+');
      } else if (isPlain(plain) && (plain != '.' || name.length() > 0)) {
        name.append(plain);
      } else {
        name.append("%%%02x".formatted((int) plain));
      }
    }
    if (name.length() <= MOST_NAME) {
      return name.toString();
    }
    return name.substring(0, KEPT) + "~" + Digest.of(Sha256.start().digest(bytes)).hex();
  }

  private static boolean isPlain(char it) {
    return (it >= 'a' && it <= 'z')
        || (it >= 'A' && it <= 'Z')
        || (it >= '0' && it <= '9')
        || PLAIN.indexOf(it) >= 0;
  }

  private static byte[] bytes(String key) throws ArtifactException {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
      var bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException other) {
      throw refused("a key", "it is not Unicode");
    }
  }

  private static ArtifactException refused(String what, String why) {
    return new ArtifactException(Reason.BAD_KEY, "use", what, why);
  }

  private ReleaseName() {}
}
