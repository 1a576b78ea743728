package verwalter.ui.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import verwalter.stores.api.Change;
import verwalter.stores.api.Loop;
import verwalter.stores.api.Watch;
import verwalter.ui.http.Streams;
import verwalter.ui.http.Wire;

/**
 * One client's watch: changes as lines of JSON, as fast as the client reads them. A client that
 * falls too far behind is cut off. Belongs to the loop.
 */
final class WatchStream<S, T> {
  /** How many changes may wait for a slow client once it has heard what there was at first. */
  private static final int MOST_PENDING = 4096;

  private static final int CHUNK = 64 * 1024;

  private final HttpServerResponse response;
  private final WatchEvents<S, T> events;
  private final Loop loop;
  private final Streams streams;
  private final Deque<Change<S, T>> pending = new ArrayDeque<>();
  private Watch watch = () -> {};
  private Loop.Timer timeout = () -> {};
  private boolean caughtUp;
  private boolean over;

  WatchStream(HttpServerResponse response, WatchEvents<S, T> events, Loop loop, Streams streams) {
    this.response = response;
    this.events = events;
    this.loop = loop;
    this.streams = streams;
  }

  /** Starts to send; {@code watch} is closed when the client has gone or the time is up. */
  void start(Watch watch, Duration atMost) {
    this.watch = watch;
    this.timeout = loop.after(atMost, this::finish);
    response.exceptionHandler(gone -> loop.execute(this::stop));
    response.closeHandler(gone -> loop.execute(this::stop));
    response.drainHandler(drained -> loop.execute(this::flush));
    response.setWriteQueueMaxSize(4 * CHUNK);
    response
        .setChunked(true)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-cache, private")
        .putHeader("Content-Encoding", "identity");
    response.writeHead();
  }

  /** Takes a change of the store. */
  void heard(Change<S, T> change) {
    if (over) {
      return;
    }
    pending.add(change);
    caughtUp |= change instanceof Change.Bookmark;
    flush();
    if (caughtUp && pending.size() > MOST_PENDING) {
      stop();
      response.reset();
    }
  }

  private void flush() {
    while (!over && !pending.isEmpty() && !response.writeQueueFull()) {
      var chunk = Buffer.buffer();
      boolean ended = false;
      while (!pending.isEmpty() && chunk.length() < CHUNK) {
        var change = pending.remove();
        events
            .event(change, loop.now())
            .ifPresent(event -> chunk.appendBuffer(Wire.json(event)).appendByte((byte) '\n'));
        ended |= change instanceof Change.Ended;
      }
      if (chunk.length() > 0) {
        response.write(chunk);
      }
      if (ended) {
        finish();
      }
    }
  }

  private void finish() {
    if (!over) {
      stop();
      response.end();
    }
  }

  private void stop() {
    if (!over) {
      over = true;
      pending.clear();
      watch.close();
      timeout.cancel();
      streams.leave();
    }
  }
}
