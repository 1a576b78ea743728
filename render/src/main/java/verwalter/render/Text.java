package verwalter.render;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import verwalter.model.json.Json;

/** Functions for text files: strict UTF-8, hashes and the order of keys. */
public final class Text {

  /** The order of UTF-8 bytes, which equals that of code points. Upstream sorts maps by it. */
  public static final Comparator<String> BY_CODE_POINT = Json.BY_CODE_POINT;

  public static String utf8(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Lower-case hex. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }

  /** Adds texts to a digest unambiguously: different lists of texts give different input. */
  public static void add(MessageDigest digest, String... texts) {
    for (var text : texts) {
      var bytes = bytes(text);
      digest.update(bytes(bytes.length + ":"));
      digest.update(bytes);
    }
  }

  private Text() {}
}
