package verwalter.ui.v1;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.ui.http.Streams;
import verwalter.ui.port.ProcessLogs;

/**
 * Sends lines of logs to one client, at its speed: the next lines are read when the last ones are
 * sent. Belongs to the loop.
 */
final class LogStream {
  private static final Logger LOG = LoggerFactory.getLogger(LogStream.class);

  /** How often a log is looked at that is followed. */
  private static final Duration PERIOD = Duration.ofMillis(250);

  /** After this number of looks, new instances are looked for. */
  private static final int REFRESH = 8;

  /** A client that is gone is noticed by this empty line; clients skip it. */
  private static final Duration SILENCE = Duration.ofSeconds(15);

  private static final int QUEUE = 1 << 19;

  private final HttpServerResponse response;
  private final ProcessLogs.Reading reading;
  private final Loop loop;
  private final Streams streams;
  private final boolean follow;
  private int looks;
  private Duration quiet = Duration.ZERO;
  private boolean waiting;
  private boolean over;

  LogStream(
      HttpServerResponse response,
      ProcessLogs.Reading reading,
      Loop loop,
      Streams streams,
      boolean follow) {
    this.response = response;
    this.reading = reading;
    this.loop = loop;
    this.streams = streams;
    this.follow = follow;
  }

  /** Sends the first lines, and then the others. */
  void start(List<ProcessLogs.Line> first) {
    response.exceptionHandler(gone -> loop.execute(this::stop));
    response.closeHandler(gone -> loop.execute(this::stop));
    response.drainHandler(drained -> loop.execute(this::drained));
    response.setWriteQueueMaxSize(QUEUE);
    response
        .setChunked(true)
        .putHeader("Content-Type", "text/plain; charset=utf-8")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Cache-Control", "no-cache, private")
        .putHeader("Content-Encoding", "identity");
    response.writeHead();
    read(first);
  }

  private void read(List<ProcessLogs.Line> lines) {
    if (over) {
      return;
    }
    if (!lines.isEmpty()) {
      quiet = Duration.ZERO;
      response.write(text(lines));
      if (response.writeQueueFull()) {
        waiting = true;
      } else {
        next();
      }
    } else if (follow) {
      pause();
    } else {
      loop.offload(reading::rest).onSuccess(this::end).onFailure(this::failed);
    }
  }

  private void drained() {
    if (waiting) {
      waiting = false;
      next();
    }
  }

  private void next() {
    if (!over) {
      loop.offload(reading::next).onSuccess(this::read).onFailure(this::failed);
    }
  }

  private void pause() {
    quiet = quiet.plus(PERIOD);
    if (quiet.compareTo(SILENCE) >= 0) {
      quiet = Duration.ZERO;
      response.write("\n");
    }
    looks++;
    boolean refresh = looks % REFRESH == 0;
    loop.after(
        PERIOD,
        () -> {
          if (!over) {
            loop.offload(() -> next(refresh)).onSuccess(this::read).onFailure(this::failed);
          }
        });
  }

  private List<ProcessLogs.Line> next(boolean refresh) throws java.io.IOException {
    if (refresh) {
      reading.refresh();
    }
    return reading.next();
  }

  private void end(List<ProcessLogs.Line> rest) {
    if (!over) {
      stop();
      response.end(text(rest));
    }
  }

  private void failed(Throwable why) {
    LOG.warn("a log cannot be read: {}", why.toString());
    if (!over) {
      stop();
      response.reset();
    }
  }

  private void stop() {
    if (!over) {
      over = true;
      streams.leave();
    }
  }

  private static Buffer text(List<ProcessLogs.Line> lines) {
    var text = Buffer.buffer();
    for (var line : lines) {
      text.appendString(line.time().truncatedTo(ChronoUnit.MILLIS).toString())
          .appendByte((byte) ' ')
          .appendString(line.process())
          .appendByte((byte) ' ')
          .appendString(line.text())
          .appendByte((byte) '\n');
    }
    return text;
  }
}
