package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Finds the beginning of the run before the last start in a log. Blocks. */
record PreviousRun(LogHistory history, String process) {
  private static final int CHUNK = 1 << 20;

  /** The place of the line of its start; empty if the log has no two starts. */
  Optional<LogPlace> find() throws IOException {
    Optional<LogPlace> before = Optional.empty();
    Optional<LogPlace> last = Optional.empty();
    var needle = starting(process).getBytes(StandardCharsets.UTF_8);
    for (var chunk = history.read(history.oldest(), CHUNK);
        ;
        chunk = history.read(chunk.next(), CHUNK)) {
      byte[] bytes = chunk.bytes();
      int begin = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          if (has(bytes, begin, i, needle)) {
            before = last;
            last = Optional.of(chunk.place().at(chunk.place().offset() + begin));
          }
          begin = i + 1;
        }
      }
      if (chunk.isLast()) {
        return before;
      }
    }
  }

  private static boolean has(byte[] bytes, int begin, int end, byte[] needle) {
    // 2026-11-26T10:00:00Z: ----- Starting "web/server.0": ...
    if (end - begin < 21 + needle.length || bytes[begin + 19] != 'Z') {
      return false;
    }
    for (int i = 0; i < needle.length; i++) {
      if (bytes[begin + 20 + i] != needle[i]) {
        return false;
      }
    }
    return true;
  }

  private static String starting(String process) {
    return ": ----- Starting \"" + process + "\": ";
  }

  /** Whether a line is that of a start. */
  static boolean isStart(String line, String process) {
    return line.length() > 20 && line.startsWith(starting(process), 20);
  }
}
