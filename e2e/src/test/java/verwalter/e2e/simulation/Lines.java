package verwalter.e2e.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/**
 * The protocol between a {@link RemoteStore} and an {@link ObjectServer}: lines with a word and an
 * object.
 */
final class Lines {
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

  /**
   * A line.
   *
   * @param word the event or the operation
   * @param argument an object as JSON, an entry in base64, a number or a message
   */
  record Line(String word, String argument) {
    Resource<?, ?> object() {
      try {
        return Codec.fromJson(argument.getBytes(StandardCharsets.UTF_8));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }

  static String line(String word, Resource<?, ?> object) {
    return word + " " + new String(Codec.json(object), StandardCharsets.UTF_8) + "\n";
  }

  static String line(String word, long number) {
    return line(word, Long.toString(number));
  }

  static String line(String word, String argument) {
    return word + " " + argument.replace('\n', ' ') + "\n";
  }

  /** Adds a piece of the text and returns the completed lines. */
  List<Line> take(byte[] piece) {
    var lines = new ArrayList<Line>();
    for (byte each : piece) {
      if (each == '\n') {
        var text = rest.toString(StandardCharsets.UTF_8);
        rest.reset();
        int space = text.indexOf(' ');
        lines.add(new Line(text.substring(0, space), text.substring(space + 1)));
      } else {
        rest.write(each);
      }
    }
    return lines;
  }

  static List<Line> all(byte[] text) {
    return new Lines().take(text);
  }
}
