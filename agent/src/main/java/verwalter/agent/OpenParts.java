package verwalter.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open parts of a process, which are closed in reverse order. Thread-safe. */
final class OpenParts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Part> parts = new ArrayDeque<>();

  /** A part with its name in the log. */
  private record Part(String name, AutoCloseable part) {}

  synchronized void add(String name, AutoCloseable part) {
    parts.push(new Part(name, part));
  }

  @Override
  public void close() {
    for (var next = last(); next.isPresent(); next = last()) {
      close(next.get().name(), next.get().part());
    }
  }

  private synchronized Optional<Part> last() {
    return Optional.ofNullable(parts.poll());
  }

  /** Closes a part. A failure is logged, so that other parts are closed too. */
  static void close(String name, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception failure) {
      LOG.warn("closing {} failed: {}", name, failure.toString());
    }
  }
}
