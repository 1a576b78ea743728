package verwalter.cluster.joining;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.cluster.joining.ClusterMember.Peer;

/** What the server of joining machines needs to know of its cluster. Called on its loop. */
public interface ClusterState {
  /** All members that were not removed, this node included. */
  List<Peer> members();

  /** Whether a node votes now, and so may have the key of the authority. */
  boolean votes(String node);

  /** When a node of this name was removed last; empty if none was. */
  Optional<Instant> removed(String node);

  /** The epoch in which this node leads; empty if it does not. */
  OptionalLong epoch();

  /** The address of the leader, {@code host:port}, if this node knows one. */
  Optional<String> leader();
}
