package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import verwalter.client.ApiException;

/**
 * {@code vw logs -f}: prints new lines of all nodes. Lines that arrive together are sorted by time.
 */
final class LogFollowing {
  /** The time in which lines of several nodes arrive together. */
  private static final Duration TOGETHER = Duration.ofMillis(100);

  /** How often new nodes are looked for. */
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private static final int QUEUE = 4096;

  private final Session session;
  private final LogSources places;
  private final LogRequest request;
  private final LogPrinter printer;
  private final BlockingQueue<LogFollower.Event> events = new LinkedBlockingQueue<>(QUEUE);
  private final Set<LogSources.Source> followed = new HashSet<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<LoggedLine> lines = new ArrayList<>();

  LogFollowing(Session session, LogSources places, LogRequest request, LogPrinter printer) {
    this.session = session;
    this.places = places;
    this.request = request;
    this.printer = printer;
  }

  /** Prints lines until the reader of standard output is gone. */
  Exit run() throws IOException {
    session.api(); // creates it in this thread
    places.find().forEach(place -> follow(place, request));
    try {
      var refreshed = session.now();
      boolean heard = false;
      while (!session.unread()) {
        heard |= collect(heard);
        lines.sort(Comparator.comparing(LoggedLine::time));
        lines.forEach(printer::print);
        lines.clear();
        if (Duration.between(refreshed, session.now()).compareTo(REFRESH) >= 0) {
          refreshed = session.now();
          refresh(refreshed);
        }
      }
      return Exit.OK;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Exit.ERROR;
    } finally {
      threads.forEach(Thread::interrupt);
    }
  }

  private void follow(LogSources.Source place, LogRequest its) {
    if (followed.add(place)) {
      var thread = new Thread(new LogFollower(session, place, its, events), "vw-logs");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Follows groups that are new. What their processes wrote before is printed too. */
  private void refresh(Instant now) {
    try {
      for (var place : places.find()) {
        follow(place, request.since(now.minus(REFRESH)));
      }
    } catch (Failure | IOException later) {
      // The followers report what cannot be reached, and what is removed may return.
    }
  }

  /**
   * Takes the events that arrive together.
   *
   * @return whether a line was among them
   */
  private boolean collect(boolean heard) throws InterruptedException {
    var first = events.poll(TOGETHER.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return false;
    }
    session.environment().pause().pause(TOGETHER);
    take(first, heard);
    var others = new ArrayList<LogFollower.Event>();
    events.drainTo(others);
    others.forEach(event -> take(event, heard));
    return !lines.isEmpty();
  }

  private void take(LogFollower.Event event, boolean heard) {
    if (event instanceof LogFollower.Event.Logged logged) {
      lines.add(logged.line());
    } else if (event instanceof LogFollower.Event.Lost lost) {
      printer.lost(lost.node(), lost.why() + "; it is asked again");
    } else if (event instanceof LogFollower.Event.Ended ended) {
      end(ended.place(), ended.why(), heard);
    }
  }

  private void end(LogSources.Source place, ApiException why, boolean heard) {
    followed.remove(place);
    if (why.code() != 404) {
      printer.lost(place.node(), why.getMessage());
    }
    if (followed.isEmpty() && !heard) {
      throw Failure.error(why.getMessage(), "see what runs: vw get pg");
    }
  }
}
