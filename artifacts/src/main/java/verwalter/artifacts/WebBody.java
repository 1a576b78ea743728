package verwalter.artifacts;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a response, which one thread takes piece by piece and may close at any time. The
 * server sends no further piece before the last one was taken. Thread-safe.
 */
final class WebBody implements BodySubscriber<WebBody> {
  /** A waiting thread looks so often whether it was cancelled. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * A piece of the body.
   *
   * @param bytes empty at the end
   * @param failure why the body ended early
   */
  record Piece(List<ByteBuffer> bytes, boolean isEnd, Optional<Throwable> failure) {}

  private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private Optional<Flow.Subscription> subscription = Optional.empty();
  private boolean isClosed;

  @Override
  public CompletionStage<WebBody> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription to) {
    boolean closed;
    synchronized (this) {
      subscription = Optional.of(to);
      closed = isClosed;
    }
    if (closed) {
      to.cancel();
    } else {
      to.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> bytes) {
    pieces.add(new Piece(bytes, false, Optional.empty()));
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece(List.of(), true, Optional.of(failure)));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece(List.of(), true, Optional.empty()));
  }

  /** The next piece, or empty if there is none for a moment. */
  Optional<Piece> poll() throws InterruptedException {
    return Optional.ofNullable(pieces.poll(LOOK_NANOS, TimeUnit.NANOSECONDS));
  }

  /** Asks for the next piece, after the last one was used. */
  void more() {
    present().ifPresent(it -> it.request(1));
  }

  private synchronized Optional<Flow.Subscription> present() {
    return subscription;
  }

  /** Ends the connection unless the body has come to its end. */
  void close() {
    Optional<Flow.Subscription> present;
    synchronized (this) {
      isClosed = true;
      present = subscription;
    }
    present.ifPresent(Flow.Subscription::cancel);
    pieces.clear();
  }
}
