package verwalter.render.apply;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The beginning and the end of the output of a program, at most 64 KiB. */
final class ProgramOutput {
  /** Bytes that are kept of the beginning. */
  static final int HEAD = 16 << 10;

  /** Bytes that are kept of the end. */
  static final int TAIL = 48 << 10;

  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private final byte[] tail = new byte[TAIL];
  private long written;

  /**
   * Reads the available output, at most a few pipe buffers, so that a program with endless output
   * cannot block the caller.
   */
  void drain(InputStream stream) throws IOException {
    var buffer = new byte[8 << 10];
    for (int i = 0; i < 64 && stream.available() > 0; i++) {
      int count = stream.read(buffer);
      for (int at = 0; at < count; at++) {
        if (head.size() < HEAD) {
          head.write(buffer[at]);
        } else {
          tail[(int) (written++ % TAIL)] = buffer[at];
        }
      }
    }
  }

  /** The output as text; a line in the middle says how many bytes are missing. */
  String text() {
    var end = new ByteArrayOutputStream();
    long missing = Math.max(0, written - TAIL);
    for (long at = missing; at < written; at++) {
      end.write(tail[(int) (at % TAIL)]);
    }
    var gap = missing == 0 ? "" : "\n... " + missing + " bytes left out ...\n";
    return head.toString(StandardCharsets.UTF_8) + gap + end.toString(StandardCharsets.UTF_8);
  }
}
