package verwalter.cluster.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.certificates.PkiFiles;

/**
 * What a node must know of its cluster when it starts: {@code STORAGE/cluster/member.json}. A node
 * without this file is in no cluster. It is written last when a node joins, so everything else is
 * there if it exists.
 *
 * @param cluster id of the cluster
 * @param node name of this node
 * @param machine machine id of this node, lower-case hex
 * @param role whether this node was an elector when the file was written
 * @param addresses addresses at which other members reach this node, {@code host:port}
 * @param members the other members when the file was written; some of them may have moved
 */
public record ClusterMember(
    String cluster,
    String node,
    String machine,
    Role role,
    List<String> addresses,
    List<Peer> members) {
  /** The file, below {@code STORAGE/cluster}. */
  public static final String FILE = "member.json";

  /** The port at which members reach each other, unless another one is given. */
  public static final int PORT = 8380;

  private static final int MOST_PORT = 65_535;
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[(?<ip>[0-9A-Fa-f:.]+)]|(?<name>[^:\\[\\]]+))(?::(?<port>\\d{1,5}))?");

  /** Whether a member votes. */
  public enum Role {
    ELECTOR,
    OBSERVER
  }

  /** Another member. */
  public record Peer(String node, List<String> addresses, Role role) {
    public Peer {
      addresses = List.copyOf(addresses);
    }
  }

  /** A host and a port. */
  public record Address(String host, int port) {
    /**
     * Reads {@code HOST}, {@code HOST:PORT} or {@code [IPV6]:PORT}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static Address of(String text) {
      var parts = ADDRESS.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException("\"%s\" is not HOST or HOST:PORT".formatted(text));
      }
      int port = parts.group("port") == null ? PORT : Integer.parseInt(parts.group("port"));
      if (port > MOST_PORT) {
        throw new IllegalArgumentException("%d is not a port".formatted(port));
      }
      var host = parts.group("ip") == null ? parts.group("name") : parts.group("ip");
      return new Address(host, port);
    }

    @Override
    public String toString() {
      return host.contains(":") ? "[%s]:%d".formatted(host, port) : host + ":" + port;
    }
  }

  public ClusterMember {
    addresses = List.copyOf(addresses);
    members = List.copyOf(members);
  }

  /** Whether this node was an elector. */
  public boolean isElector() {
    return role == Role.ELECTOR;
  }

  /** The same with another name. */
  public ClusterMember named(String name) {
    return new ClusterMember(cluster, name, machine, role, addresses, members);
  }

  /** The same with other members. */
  public ClusterMember with(Role role, List<Peer> members) {
    return new ClusterMember(cluster, node, machine, role, addresses, members);
  }

  /**
   * Reads the file; empty if it does not exist.
   *
   * @throws IOException if it cannot be read
   */
  public static Optional<ClusterMember> read(PkiFiles files) throws IOException {
    var text = files.read(FILE);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Messages.read(text.get(), ClusterMember.class));
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is damaged: %s; restore it, or join again: verwalter join HOST --token T"
              .formatted(files.place(FILE), e.getOriginalMessage()),
          e);
    }
  }

  /** Writes the file. */
  public void write(PkiFiles files) throws IOException {
    files.write(FILE, Messages.text(this) + "\n");
  }
}
