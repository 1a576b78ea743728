package verwalter.cluster.mirror;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Write;

/** A message between a node and the leader. {@link MessageCodec} writes and reads them. */
sealed interface Message {
  /** The version of the protocol. */
  int PROTOCOL = 1;

  /** A message of a node to the leader. */
  sealed interface Up extends Message {}

  /** A message of the leader to a node. */
  sealed interface Down extends Message {}

  /**
   * The first message of a node. The leader answers with {@link Ask}.
   *
   * @param process a number that grows with each start of the node's process
   * @param attempt the number of this connection within the process
   * @param digests the objects that the node has
   */
  record Hello(int protocol, String node, long process, long attempt, List<Marks.Digest> digests)
      implements Up {
    public Hello {
      digests = List.copyOf(digests);
    }
  }

  /**
   * All objects of some kinds, as names with marks. The leader answers with {@link Ask}.
   *
   * @param kinds the kinds; the listing is complete for these
   */
  record Listing(List<String> kinds, List<Entry> entries) implements Up {
    /** An object with its mark. */
    record Entry(ResourceKey key, long mark) {}

    public Listing {
      kinds = List.copyOf(kinds);
      entries = List.copyOf(entries);
    }
  }

  /**
   * Changes of objects. The leader answers with {@link Ack}.
   *
   * @param complete whether the leader then has everything that the node has
   * @param puts the JSON of the objects, with the versions of the master
   */
  record Changes(boolean complete, List<ByteBuffer> puts, List<ResourceKey> removals)
      implements Up {
    public Changes {
      puts = List.copyOf(puts);
      removals = List.copyOf(removals);
    }
  }

  /**
   * A heartbeat. The leader answers with {@link Ack}.
   *
   * @param digests what the leader should have; empty if that is not to be compared now
   */
  record Beat(List<Marks.Digest> digests) implements Up {
    public Beat {
      digests = List.copyOf(digests);
    }
  }

  /**
   * The answer to {@link Request}. Its changes were sent before.
   *
   * @param refusal why the node refused it; empty if it was carried out
   * @param results the JSON of the committed objects, in the order of the writes
   */
  record Answer(long id, Optional<Refusal> refusal, List<ByteBuffer> results) implements Up {
    public Answer {
      results = List.copyOf(results);
    }
  }

  /**
   * What the leader needs.
   *
   * @param listings kinds of which it needs a {@link Listing}
   * @param wholes kinds of which it needs every object
   * @param objects objects that it needs, or their removal
   */
  record Ask(List<String> listings, List<String> wholes, List<ResourceKey> objects)
      implements Down {
    public Ask {
      listings = List.copyOf(listings);
      wholes = List.copyOf(wholes);
      objects = List.copyOf(objects);
    }
  }

  /** The leader has processed {@link Changes} or a {@link Beat}. */
  record Ack() implements Down {}

  /** Writes that the node commits together. The node answers with {@link Answer}. */
  record Request(long id, List<Item> writes) implements Down {
    /** The form of a write. */
    enum Form {
      PUT,
      STATUS,
      REMOVE;

      static Form of(Write write) {
        return write instanceof Write.Put
            ? PUT
            : write instanceof Write.PutStatus ? STATUS : REMOVE;
      }
    }

    /** A write, with the JSON of its object. */
    record Item(Form form, ByteBuffer object) {}

    public Request {
      writes = List.copyOf(writes);
    }
  }
}
