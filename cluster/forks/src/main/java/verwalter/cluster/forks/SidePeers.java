package verwalter.cluster.forks;

import io.vertx.core.Future;

/**
 * Exchanges messages with the other nodes of the cluster.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A message is delivered to the machine with this id and no other one, at most once.
 *   <li>A receiver gets the id of the machine that has sent the message.
 *   <li>The future of {@link #send} completes within a time limit, whatever the other node does. If
 *       it fails, the message may have been received.
 *   <li>A message that is larger than receivers accept is not sent: the future fails.
 * </ol>
 *
 * <p>Methods do not block, and may be called on any loop.
 */
public interface SidePeers {
  /** Sends a message to a machine. */
  Future<SideAnswer> send(String to, SideMessage message);

  /** Passes the messages of other nodes to this receiver from now on. */
  void serve(Receiver receiver);

  /** Receives messages. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Receives a message. Does not block; may be called on any thread.
     *
     * @param from id of the machine that has sent it
     */
    Future<SideAnswer> receive(String from, SideMessage message);
  }
}
