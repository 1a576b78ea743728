package verwalter.artifacts;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Decodes names of files. */
final class StrictText {
  /** The text, unless the bytes are not UTF-8. */
  static Optional<String> utf8(byte[] bytes, int offset, int length) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, offset, length))
              .toString());
    } catch (CharacterCodingException other) {
      return Optional.empty();
    }
  }

  private StrictText() {}
}
