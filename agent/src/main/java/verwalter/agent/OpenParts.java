package verwalter.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process has opened, to be closed in reverse. Safe from any thread. */
final class OpenParts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Part> parts = new ArrayDeque<>();

  /** Something to close, with what it is called in the log. */
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

  /** What cannot be closed is said and left; the rest must be closed all the same. */
  static void close(String name, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception failure) {
      LOG.warn("closing {} failed: {}", name, failure.toString());
    }
  }
}
