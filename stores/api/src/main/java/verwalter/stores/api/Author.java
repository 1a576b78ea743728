package verwalter.stores.api;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import verwalter.model.Writer;

/**
 * The author of a write, for {@link WriteRules}.
 *
 * @param writer the kind of author
 * @param node the node that the author works for; empty for the whole cluster
 * @param epoch the epoch in which the agent leads; empty if it does not lead
 * @param former former names of the node whose objects the author may write
 */
public record Author(Writer writer, Optional<String> node, OptionalLong epoch, Set<String> former) {
  public Author {
    former = Set.copyOf(former);
  }

  /** Creates an author that does not write objects of former names. */
  public Author(Writer writer, Optional<String> node, OptionalLong epoch) {
    this(writer, node, epoch, Set.of());
  }

  /** Creates a controller of one node. */
  public static Author ofNode(Writer writer, String node) {
    return new Author(writer, Optional.of(node), OptionalLong.empty());
  }

  /**
   * Creates the author that renames a node, which moves its objects from former names to the
   * present one.
   */
  public static Author ofRenamed(String node, Set<String> former) {
    return new Author(Writer.RENAMING, Optional.of(node), OptionalLong.empty(), former);
  }

  /** Creates a controller or operators that act through an agent which leads in {@code epoch}. */
  public static Author ofLeader(Writer writer, long epoch) {
    return new Author(writer, Optional.empty(), OptionalLong.of(epoch));
  }

  /** The noun for messages, such as {@code the process controller of node n1}. */
  public String title() {
    return writer.title() + node.map(name -> " of node " + name).orElse("");
  }
}
