package verwalter.agent;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import verwalter.artifacts.Bandwidth;

/**
 * Sends a part of a file to a node, as fast as a shared bandwidth allows. A node that takes nothing
 * for some time is not waited for. Confined to the event loop of the request.
 */
final class ArchiveUpload {
  /** The bytes that are in memory at once. */
  private static final int PIECE = 128 << 10;

  /** How long all may take. The other node continues, here or elsewhere. */
  private static final Duration LIMIT = Duration.ofHours(1);

  /**
   * How fast uploads are.
   *
   * @param bandwidth that all of them share
   * @param stall how long the other node may take nothing
   */
  record Pace(Bandwidth bandwidth, Duration stall) {}

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final AsyncFile file;
  private final long end;
  private final Pace pace;
  private final Runnable ended;
  private final long limit;
  private long at;
  private boolean isOver;

  private ArchiveUpload(
      Vertx vertx,
      HttpServerRequest request,
      AsyncFile file,
      long from,
      long end,
      Pace pace,
      Runnable ended) {
    this.vertx = vertx;
    this.request = request;
    this.file = file;
    this.at = from;
    this.end = end;
    this.pace = pace;
    this.ended = ended;
    this.limit = vertx.setTimer(LIMIT.toMillis(), late -> fail());
  }

  /**
   * Sends the bytes as the body of the response, whose headers are set.
   *
   * @param file is closed at the end
   * @param end the size of the file
   * @param ended is called once, when all was sent or the connection has ended
   */
  static void begin(
      Vertx vertx,
      HttpServerRequest request,
      AsyncFile file,
      long from,
      long end,
      Pace pace,
      Runnable ended) {
    var upload = new ArchiveUpload(vertx, request, file, from, end, pace, ended);
    request.response().closeHandler(closed -> upload.over());
    upload.next();
  }

  private void next() {
    if (isOver) {
      return;
    }
    if (at >= end) {
      request.response().end();
      over();
      return;
    }
    int length = (int) Math.min(PIECE, end - at);
    file.read(Buffer.buffer(length), 0, at, length)
        .onSuccess(this::send)
        .onFailure(unreadable -> fail());
  }

  private void send(Buffer piece) {
    if (isOver) {
      return;
    }
    if (piece.length() == 0) {
      fail(); // the file is shorter than it was
      return;
    }
    long stall = vertx.setTimer(pace.stall().toMillis(), late -> fail());
    request
        .response()
        .write(piece)
        .onComplete(
            written -> {
              vertx.cancelTimer(stall);
              if (written.failed()) {
                fail();
                return;
              }
              at += piece.length();
              pause(pace.bandwidth().take(piece.length()));
            });
  }

  private void pause(long nanos) {
    if (nanos <= 0) {
      next();
    } else {
      vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)), paid -> next());
    }
  }

  /** The other node notices the end of the connection, and that bytes are missing. */
  private void fail() {
    if (!isOver) {
      request.response().reset();
      over();
    }
  }

  private void over() {
    if (!isOver) {
      isOver = true;
      vertx.cancelTimer(limit);
      file.close();
      ended.run();
    }
  }
}
