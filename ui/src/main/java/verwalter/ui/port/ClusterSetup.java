package verwalter.ui.port;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Describes the cluster of this node, or founds one. Called on the loop; never blocks. */
public interface ClusterSetup {
  /**
   * The cluster; empty if this node is in none. Fails with an {@link java.io.IOException} whose
   * message is for users.
   */
  Future<Optional<Description>> describe();

  /**
   * Founds a cluster with this node as its first one. The agent goes on without it until {@link
   * #restart}.
   *
   * @param address where other members reach this node, {@code HOST} or {@code HOST:PORT}; empty to
   *     choose one
   * @return fails with an {@link IllegalArgumentException} if the address is not valid, and with an
   *     {@link java.io.IOException} if the node is in a cluster already or cannot found one; the
   *     messages are for users
   */
  Future<Founding> found(Optional<String> address);

  /**
   * Starts all parts of the agent again, as those of the cluster that it has founded or recovers.
   * Called when the answer was sent, or its connection has ended.
   */
  void restart();

  /**
   * Describes the copy of the log that {@link #recover} would keep. Changes nothing.
   *
   * @return fails with an {@link java.io.IOException} if the cluster has a leader, or if this node
   *     is in no cluster or cannot recover it; the message is for users
   */
  Future<Recovery> recovery();

  /**
   * Prepares a recovery from the loss of the majority: the next {@link #restart} makes this node
   * the only one of its cluster, with its copy of the log. Fails like {@link #recovery}.
   */
  Future<Recovery> recover();

  /**
   * The copy of a node.
   *
   * @param node its name
   * @param entry the number of the last entry of the log that it has
   * @param written when it last wrote to the copy, in ISO 8601
   * @param others the other nodes, which have to join again
   */
  record Recovery(String node, long entry, String written, List<String> others) {
    public Recovery {
      others = List.copyOf(others);
    }
  }

  /**
   * A cluster as one of its nodes knows it.
   *
   * @param cluster its id
   * @param node the name of this node
   * @param address where other members reach this node, {@code host:port}
   * @param authority SHA-256 of the public key of its authority, lower-case hex
   * @param expires when the certificate of this node expires, in ISO 8601
   */
  record Description(
      String cluster,
      String node,
      String address,
      String authority,
      String expires,
      List<Member> members) {
    public Description {
      members = List.copyOf(members);
    }
  }

  /**
   * A node of the cluster.
   *
   * @param elector whether it votes
   * @param server whether it runs a server of the log, with or without a vote
   * @param addresses where other members reach it, {@code host:port}
   */
  record Member(String node, boolean elector, boolean server, List<String> addresses) {
    public Member {
      addresses = List.copyOf(addresses);
    }

    /** A node that runs a server only as an elector. */
    public Member(String node, boolean elector, List<String> addresses) {
      this(node, elector, elector, addresses);
    }
  }

  /**
   * A new cluster.
   *
   * @param credentials key and certificate of an admin, in PEM; a secret
   * @param trust the authority, in PEM
   */
  record Founding(Description description, String credentials, String trust) {
    /** Without the key. */
    @Override
    public String toString() {
      return "Founding[%s]".formatted(description);
    }
  }
}
