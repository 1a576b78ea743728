package verwalter.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A text that is read line by line by a blocking thread, as it arrives. */
public final class TextLines implements AutoCloseable {
  private static final int LONGEST = 1 << 20;

  private final BlockingAnswer answer;
  private final EventLines split = new EventLines(LONGEST);
  private final Deque<String> lines = new ArrayDeque<>();

  TextLines(BlockingAnswer answer) {
    this.answer = answer;
  }

  /**
   * The next line that is not empty; absent at the end. Waits for it.
   *
   * @throws IOException if nothing arrives in time, or the connection breaks
   */
  public Optional<String> next() throws IOException {
    while (lines.isEmpty()) {
      var piece = answer.next();
      if (piece == null) {
        return Optional.empty();
      }
      split.add(piece).forEach(line -> lines.add(new String(line, UTF_8)));
    }
    return Optional.of(lines.remove());
  }

  /** Cancels the rest. */
  @Override
  public void close() {
    answer.close();
  }
}
