package verwalter.cluster.following;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.Term;

/** A message between an observer and an elector. {@link FeedCodec} writes and reads them. */
sealed interface FeedMessage {
  /** The version of the protocol. */
  int PROTOCOL = 1;

  /** A message of an observer. */
  sealed interface Up extends FeedMessage {}

  /** A message of an elector. */
  sealed interface Down extends FeedMessage {}

  /**
   * The first message of an observer.
   *
   * @param from the number of the first entry that it needs
   */
  record Hello(int protocol, long from) implements Up {}

  /** The observer has applied {@link Entries}. */
  record Ack() implements Up {}

  /**
   * The next entries of the log, as the log has them. The observer answers with {@link Ack}.
   *
   * @param first the number of the first of them
   */
  record Entries(long first, List<ByteBuffer> entries) implements Down {
    public Entries {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The entries that the observer needs next are not kept, so that it needs a snapshot.
   *
   * @param last the number of the last one that is not kept
   */
  record Gone(long last) implements Down {}

  /** Who leads, as the elector knows; empty if it knows of no leader. */
  record Leader(Optional<Term> term) implements Down {}

  /** Nothing has happened. */
  record Beat() implements Down {}
}
