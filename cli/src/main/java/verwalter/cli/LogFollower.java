package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import verwalter.client.ApiException;
import verwalter.client.TextLines;

/**
 * Follows the logs of one process group on one node, in a thread of its own. After a lost
 * connection it goes on with the lines that it has not seen.
 */
final class LogFollower implements Runnable {
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Session session;
  private final LogSources.Source place;
  private final BlockingQueue<Event> events;
  private final Map<String, Seen> seen = new HashMap<>();
  private LogRequest request;
  private Instant latest = Instant.EPOCH;
  private boolean lost;

  /** A thing that a follower reports. */
  sealed interface Event {
    /** A line. */
    record Logged(LoggedLine line) implements Event {}

    /** The node cannot be asked now; it is asked again. */
    record Lost(String node, String why) implements Event {}

    /** The node has no such process, or refuses the request. */
    record Ended(LogSources.Source place, ApiException why) implements Event {}
  }

  /** The number of lines of an instance with its latest time. */
  private record Seen(Instant time, long count) {}

  LogFollower(
      Session session, LogSources.Source place, LogRequest request, BlockingQueue<Event> events) {
    this.session = session;
    this.place = place;
    this.request = request;
    this.events = events;
  }

  @Override
  public void run() {
    try {
      while (true) {
        try {
          follow();
          lose("the connection ended");
        } catch (ApiException refused) {
          if (!refused.isTransient()) {
            events.put(new Event.Ended(place, refused));
            return;
          }
          lose(refused.getMessage());
        } catch (IOException broken) {
          lose(String.valueOf(broken.getMessage()));
        }
        session.environment().pause().pause(PAUSE);
        if (latest.isAfter(Instant.EPOCH)) {
          request = request.since(latest);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void lose(String why) throws InterruptedException {
    if (!lost) {
      lost = true;
      events.put(new Event.Lost(place.node(), why));
    }
  }

  private void follow() throws IOException, InterruptedException {
    var before = Map.copyOf(seen);
    var again = new HashMap<String, Seen>();
    try (var lines = open()) {
      lost = false;
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        var logged = LoggedLine.parse(place.node(), line.get());
        if (logged.isPresent() && isNew(logged.get(), before, again)) {
          latest = logged.get().time().isAfter(latest) ? logged.get().time() : latest;
          events.put(new Event.Logged(logged.get()));
        }
      }
    }
  }

  private TextLines open() throws IOException {
    return session.api().lines(request.path(place.group(), place.node(), true), SILENCE);
  }

  /** Whether a line was not reported before the connection was lost. */
  private boolean isNew(LoggedLine line, Map<String, Seen> before, Map<String, Seen> again) {
    var now = again.get(line.process());
    var count = now != null && now.time().equals(line.time()) ? now.count() + 1 : 1;
    var its = new Seen(line.time(), count);
    again.put(line.process(), its);
    var old = before.get(line.process());
    boolean isNew =
        old == null
            || line.time().isAfter(old.time())
            || (line.time().equals(old.time()) && count > old.count());
    if (isNew) {
      seen.put(line.process(), its);
    }
    return isNew;
  }
}
