package verwalter.ui.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.stores.api.Change;
import verwalter.ui.http.Streams;
import verwalter.ui.http.StrictJson;

/**
 * One client's watch: changes as lines of JSON, at the speed of the client. A client that falls too
 * far behind is disconnected. Belongs to the loop.
 */
final class WatchStream<S, T> {
  /** The maximum number of bytes that wait for a slow client. */
  private static final int MOST_BYTES = 16 << 20;

  /** The maximum number of changes that wait behind the initial objects. */
  private static final int MOST_CHANGES = 4096;

  private static final int CHUNK = 64 * 1024;

  private final HttpServerResponse response;
  private final WatchEvents<S, T> events;
  private final Loop loop;
  private final Streams streams;

  /** The initial objects wait as references, since the store holds them anyway. */
  private final Deque<Change<S, T>> changes = new ArrayDeque<>();

  /** Later changes wait as bytes, so that their size can be limited. */
  private final Deque<Buffer> waiting = new ArrayDeque<>();

  private long waitingBytes;
  private Watch watch = () -> {};
  private TimedExecutor.Timer timeout = () -> {};
  private boolean caughtUp;
  private boolean ended;
  private boolean over;

  WatchStream(HttpServerResponse response, WatchEvents<S, T> events, Loop loop, Streams streams) {
    this.response = response;
    this.events = events;
    this.loop = loop;
    this.streams = streams;
  }

  /** Starts to send. {@code watch} is closed when the client disconnects or the time is up. */
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

  /** Sends a change of the store. */
  void send(Change<S, T> change) {
    if (over) {
      return;
    }
    if (caughtUp && changes.isEmpty() && response.writeQueueFull()) {
      var event = encoded(change);
      waiting.add(event);
      waitingBytes += event.length();
    } else {
      changes.add(change);
    }
    caughtUp |= change instanceof Change.Bookmark;
    ended |= change instanceof Change.Ended;
    flush();
    if (waitingBytes > MOST_BYTES || (caughtUp && changes.size() > MOST_CHANGES)) {
      stop();
      response.reset();
    }
  }

  private void flush() {
    while (!over && !response.writeQueueFull() && !(changes.isEmpty() && waiting.isEmpty())) {
      var chunk = chunk();
      if (chunk.length() > 0) {
        response.write(chunk);
      }
    }
    if (ended && changes.isEmpty() && waiting.isEmpty()) {
      finish();
    }
  }

  private Buffer chunk() {
    var chunk = Buffer.buffer();
    while (!changes.isEmpty() && chunk.length() < CHUNK) {
      chunk.appendBuffer(encoded(changes.remove()));
    }
    while (!waiting.isEmpty() && chunk.length() < CHUNK) {
      var event = waiting.remove();
      waitingBytes -= event.length();
      chunk.appendBuffer(event);
    }
    return chunk;
  }

  private Buffer encoded(Change<S, T> change) {
    return events
        .event(change, loop.now())
        .map(event -> StrictJson.json(event).appendByte((byte) '\n'))
        .orElseGet(Buffer::buffer);
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
      changes.clear();
      waiting.clear();
      watch.close();
      timeout.cancel();
      streams.leave();
    }
  }
}
