package verwalter.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.client.transport.Call;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;

/** The answer to a request, read by a blocking thread. */
final class BlockingAnswer implements AutoCloseable {
  private static final int MAX_BODY = 256 << 20;

  private final Call call;
  private final Arrivals arrivals;
  private final Supplier<Duration> silence;
  private final Head head;
  private @Nullable Runnable next;
  private boolean ended;

  /** A call of the receiver. */
  private sealed interface Arrival {}

  private record Head(int status, Map<String, String> headers) implements Arrival {}

  @SuppressWarnings("ArrayRecordComponent") // pieces are not compared
  private record Piece(byte[] bytes, Runnable next) implements Arrival {}

  private record Ended() implements Arrival {}

  private record Failed(IOException why) implements Arrival {}

  /** A queue of calls. It is short, since each piece is requested. */
  private static final class Arrivals implements Receiver {
    private final LinkedBlockingQueue<Arrival> queue = new LinkedBlockingQueue<>();

    @Override
    public void head(int status, Map<String, String> headers) {
      queue.add(new Head(status, headers));
    }

    @Override
    public void data(byte[] bytes, Runnable next) {
      queue.add(new Piece(bytes, next));
    }

    @Override
    public void end() {
      queue.add(new Ended());
    }

    @Override
    public void failed(IOException why) {
      queue.add(new Failed(why));
    }

    Arrival await(Duration silence) throws IOException {
      try {
        var next =
            silence.isZero() ? queue.take() : queue.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
          var time = silence.toMillis();
          throw new SocketTimeoutException(
              "no answer within " + (time % 1000 == 0 ? time / 1000 + " s" : time + " ms"));
        }
        if (next instanceof Failed failed) {
          throw failed.why;
        }
        return next;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private BlockingAnswer(Call call, Arrivals arrivals, Supplier<Duration> silence, Head head) {
    this.call = call;
    this.arrivals = arrivals;
    this.silence = silence;
    this.head = head;
  }

  /**
   * Sends a request and waits for the head of its answer.
   *
   * @param silence timeout while nothing arrives, read before each wait; zero for no limit
   * @throws SocketTimeoutException on a timeout
   * @throws IOException if there is no answer
   */
  static BlockingAnswer of(Transport transport, Request request, Supplier<Duration> silence)
      throws IOException {
    var arrivals = new Arrivals();
    var call = transport.send(request, arrivals);
    try {
      return new BlockingAnswer(call, arrivals, silence, (Head) arrivals.await(silence.get()));
    } catch (IOException e) {
      call.cancel();
      throw e;
    }
  }

  int status() {
    return head.status;
  }

  boolean isSuccess() {
    return head.status < 300;
  }

  Map<String, String> headers() {
    return head.headers;
  }

  /**
   * The next piece of the body; null at its end.
   *
   * @throws SocketTimeoutException on a timeout
   */
  byte @Nullable [] next() throws IOException {
    if (ended) {
      return null;
    }
    if (next != null) {
      next.run();
    }
    var arrival = arrivals.await(silence.get());
    if (arrival instanceof Piece piece) {
      next = piece.next;
      return piece.bytes;
    }
    ended = true;
    return null;
  }

  /** The whole body. */
  byte[] bytes() throws IOException {
    var all = new ByteArrayOutputStream();
    for (var piece = next(); piece != null; piece = next()) {
      if (all.size() + piece.length > MAX_BODY) {
        throw new IOException("the answer is longer than 256 MiB");
      }
      all.write(piece);
    }
    return all.toByteArray();
  }

  /** Cancels the rest of the answer. */
  @Override
  public void close() {
    call.cancel();
  }
}
