package verwalter.cluster.joining;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.io.IOException;

/** Reads the body of a message up to a limit. */
public final class LimitedBody {
  /**
   * Reads a body. Call it on the event loop of the message, before a part of it arrives. Fails with
   * an {@link IOException} when more arrives than {@code most} bytes; the rest is skipped then, and
   * the caller ends the message.
   */
  public static Future<Buffer> of(ReadStream<Buffer> message, long most) {
    var read = Promise.<Buffer>promise();
    var body = Buffer.buffer();
    message.exceptionHandler(read::tryFail);
    message.handler(
        part -> {
          if (body.length() + (long) part.length() <= most) {
            body.appendBuffer(part);
          } else {
            message.handler(rest -> {});
            read.tryFail(new IOException("the message has more than %d bytes".formatted(most)));
          }
        });
    message.endHandler(end -> read.tryComplete(body));
    return read.future();
  }

  private LimitedBody() {}
}
