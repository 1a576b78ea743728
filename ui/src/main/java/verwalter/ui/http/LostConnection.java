package verwalter.ui.http;

import io.vertx.core.http.HttpClosedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Failures of requests whose client has disconnected. They are no errors of this node. */
final class LostConnection {

  /**
   * Whether the client disconnected before its request was complete.
   *
   * @param complete whether the whole body was read
   */
  static boolean duringRequest(Throwable failure, boolean complete) {
    return !complete && isOfConnection(failure);
  }

  /**
   * Whether an answer broke off, as with a <em>broken pipe</em>: nothing else can be sent to the
   * client.
   *
   * @param begun whether the head of the answer was written
   */
  static boolean duringAnswer(Throwable failure, boolean begun) {
    return begun && isOfConnection(failure);
  }

  /** Vert.x fails with the exceptions of the socket, which have no type of their own. */
  private static boolean isOfConnection(Throwable failure) {
    return failure instanceof HttpClosedException
        || (failure instanceof IOException
            && !(failure instanceof FileSystemException)
            && !(failure instanceof FileNotFoundException));
  }

  private LostConnection() {}
}
