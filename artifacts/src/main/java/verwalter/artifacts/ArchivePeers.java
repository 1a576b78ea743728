package verwalter.artifacts;

import java.net.URI;
import java.util.List;

/** The other machines from which an archive may be fetched by its digest. Thread-safe. */
public interface ArchivePeers {
  /** A machine that knows no others. */
  ArchivePeers NONE = (digest, cancellation) -> List.of();

  /**
   * A machine that may have an archive.
   *
   * @param name for messages, and to remember that it has failed
   * @param url at which it sends the archive, also from a given byte on
   */
  record Peer(String name, URI url) {}

  /**
   * Machines that may have the archive, in the order in which to ask them. The order is random, so
   * that many machines do not ask the same one. Answers within seconds, with nothing if it knows
   * nothing.
   */
  List<Peer> having(Digest digest, Cancellation cancellation) throws InterruptedException;

  /** Is called when a machine did not send the archive; {@code why} is one line. */
  default void failed(Peer peer, Digest digest, String why) {}
}
