package verwalter.stores.api;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import verwalter.model.Writer;

/**
 * Who writes, for {@link WriteRules}.
 *
 * @param writer the party
 * @param node the node that it works for; empty if for the whole cluster
 * @param epoch the epoch in which the agent leads; empty if it does not lead
 * @param former the names that the node had before, as far as the author may write their objects
 */
public record Author(Writer writer, Optional<String> node, OptionalLong epoch, Set<String> former) {
  public Author {
    former = Set.copyOf(former);
  }

  /** An author that writes no objects of former names. */
  public Author(Writer writer, Optional<String> node, OptionalLong epoch) {
    this(writer, node, epoch, Set.of());
  }

  /** A controller of one node. */
  public static Author ofNode(Writer writer, String node) {
    return new Author(writer, Optional.of(node), OptionalLong.empty());
  }

  /** The renaming of a node, which moves its objects from former names to the present one. */
  public static Author ofRenamed(String node, Set<String> former) {
    return new Author(Writer.RENAMING, Optional.of(node), OptionalLong.empty(), former);
  }

  /** A controller, or operators, by an agent that leads in {@code epoch}. */
  public static Author ofLeader(Writer writer, long epoch) {
    return new Author(writer, Optional.empty(), OptionalLong.of(epoch));
  }

  /** The noun for messages, such as {@code the process controller of node n1}. */
  public String title() {
    return writer.title() + node.map(name -> " of node " + name).orElse("");
  }
}
