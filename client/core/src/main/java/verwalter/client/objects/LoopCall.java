package verwalter.client.objects;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import verwalter.client.transport.Call;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/**
 * A request whose answer is handled on a loop. Nothing is handled after {@link #cancel}. Confined
 * to the loop.
 */
final class LoopCall implements Call {
  private final Loop loop;
  private final Duration silence;
  private final Handling handling;
  private Call call = () -> {};
  private TimedExecutor.Timer timer = () -> {};
  private boolean over;

  /** Handles an answer. All methods are called on the loop. */
  interface Handling {
    /** The answer begins. */
    void head(int status, Map<String, String> headers);

    /**
     * A piece of the body.
     *
     * @throws IOException to cancel the answer, which then fails
     */
    void data(byte[] bytes) throws IOException;

    /** The answer is complete. */
    void end();

    /** There is no answer, or it broke off. */
    void failed(IOException why);

    /** The answer timed out. */
    void silent();
  }

  /** Collects a body of limited size. */
  static final class Body {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;

    Body(int limit) {
      this.limit = limit;
    }

    void add(byte[] piece) throws IOException {
      if (bytes.size() + piece.length > limit) {
        throw new IOException("the answer is longer than " + limit + " bytes");
      }
      bytes.writeBytes(piece);
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  private LoopCall(Loop loop, Duration silence, Handling handling) {
    this.loop = loop;
    this.silence = silence;
    this.handling = handling;
  }

  /** Sends a request. Call on the loop. */
  static LoopCall send(
      Transport transport, Request request, Loop loop, Duration silence, Handling handling) {
    var call = new LoopCall(loop, silence, handling);
    call.listen();
    call.call = transport.send(request, call.new Forwarder());
    return call;
  }

  @Override
  public void cancel() {
    over = true;
    timer.cancel();
    call.cancel();
  }

  private void listen() {
    timer.cancel();
    timer = loop.after(silence, () -> finish(handling::silent));
  }

  private void finish(Runnable last) {
    if (!over) {
      cancel();
      last.run();
    }
  }

  private void data(byte[] bytes, Runnable next) {
    if (over) {
      return;
    }
    listen();
    try {
      handling.data(bytes);
    } catch (IOException e) {
      finish(() -> handling.failed(e));
    }
    if (!over) {
      next.run();
    }
  }

  /** Forwards the calls of the transport's threads to the loop. */
  private final class Forwarder implements Receiver {
    @Override
    public void head(int status, Map<String, String> headers) {
      loop.execute(
          () -> {
            if (!over) {
              listen();
              handling.head(status, headers);
            }
          });
    }

    @Override
    public void data(byte[] bytes, Runnable next) {
      loop.execute(() -> LoopCall.this.data(bytes, next));
    }

    @Override
    public void end() {
      loop.execute(() -> finish(handling::end));
    }

    @Override
    public void failed(IOException why) {
      loop.execute(() -> finish(() -> handling.failed(why)));
    }
  }
}
