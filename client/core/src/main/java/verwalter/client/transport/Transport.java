package verwalter.client.transport;

/**
 * Sends HTTP requests to one server and delivers the answers.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #send} does not block, and does not call the receiver itself. The receiver may be
 *       called from any thread, even before {@code send} has returned.
 *   <li>A receiver is called by one thread at a time: {@code head} once, then {@code data} any
 *       number of times, then either {@code end} or {@code failed}. {@code failed} may come at any
 *       point and is the last call.
 *   <li>A body arrives completely, in order and once. An incomplete answer ends with {@code
 *       failed}, never with {@code end}.
 *   <li>A piece of the body is delivered only after the {@code next} of the previous piece was run.
 *       Otherwise the transport stops reading and buffers no more than {@link #MAX_PIECE} bytes of
 *       the answer.
 *   <li>After {@link Call#cancel}, the receiver is not called again, except for a call that another
 *       thread has begun already.
 *   <li>A request whose method is {@code GET} may reach the server twice, if a kept connection
 *       breaks before any byte of the answer. Every other request reaches it at most once.
 *   <li>Interim answers (1xx) are skipped. An answer whose head is larger than {@link #MAX_HEAD}
 *       bytes, or that is not HTTP/1.1, ends with {@code failed}.
 * </ol>
 *
 * <p>A transport sets no deadline for an answer: the caller decides how long to wait, and cancels.
 */
@FunctionalInterface
public interface Transport {
  /** The largest piece of a body that is delivered at once, in bytes. */
  int MAX_PIECE = 64 << 10;

  /** The largest head of an answer, in bytes: its status line and all headers. */
  int MAX_HEAD = 64 << 10;

  /** Sends a request; the answer goes to {@code receiver}. */
  Call send(Request request, Receiver receiver);
}
