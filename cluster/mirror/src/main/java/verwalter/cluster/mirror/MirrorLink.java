package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;

/**
 * One end of a connection between a node and a leader. Messages arrive once and in order, or the
 * connection ends. Used on the loop of its end.
 */
public interface MirrorLink {
  /** Sends a message. It is dropped if the connection has ended. */
  void send(Buffer message);

  /**
   * Whether so many bytes wait to be sent that the sender should pause, or the connection ended.
   */
  boolean isFull();

  /** Ends the connection. {@link Receiver#closed} follows on both ends. */
  void close();

  /** Receives the messages of the other end, on the loop of this end. */
  interface Receiver {
    /** A message has arrived. */
    void received(Buffer message);

    /** {@link MirrorLink#isFull} has become false. */
    void drained();

    /** The connection has ended. Called once; nothing is received afterwards. */
    void closed();
  }
}
