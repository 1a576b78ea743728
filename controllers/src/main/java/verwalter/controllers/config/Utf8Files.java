package verwalter.controllers.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Problem;

/** Decodes the text of files, which must be UTF-8. */
final class Utf8Files {

  /**
   * @throws DecodeException with the line and column of the first byte that is not UTF-8
   */
  static String decode(byte[] bytes, String source) throws DecodeException {
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    var text = CharBuffer.allocate(bytes.length);
    var result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    var read = text.flip().toString();
    if (result.isError()) {
      int line = 1 + (int) read.chars().filter(each -> each == '\n').count();
      int column = read.length() - read.lastIndexOf('\n');
      throw new DecodeException(Problem.at(source, line, column, "the text is not UTF-8"));
    }
    return read;
  }

  private Utf8Files() {}
}
