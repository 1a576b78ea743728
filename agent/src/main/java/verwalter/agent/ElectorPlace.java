package verwalter.agent;

import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import verwalter.cluster.zookeeper.Elector;
import verwalter.model.Node;
import verwalter.model.Resource;

/**
 * The place of a node in the ensemble: an annotation of its Node, {@code ID HOST PORT}, followed by
 * {@code votes} if it is an elector. The others receive the log.
 *
 * @param votes whether it is an elector, as the leader last noted
 */
record ElectorPlace(Elector elector, boolean votes) {
  private static final String VOTES = "votes";
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18}) (\\S+) (\\d{1,5})( " + VOTES + ")?");

  /** The place of a node; empty if it has none that can be read. */
  static Optional<ElectorPlace> of(Resource<Node.Spec, Node.Status> node) {
    return Optional.ofNullable(node.meta().annotations().get(Node.ELECTOR))
        .flatMap(ElectorPlace::read);
  }

  /** Reads a place; empty if the text has another form. */
  private static Optional<ElectorPlace> read(String text) {
    var place = TEXT.matcher(text);
    return place.matches()
        ? Optional.of(
            new ElectorPlace(
                new Elector(
                    Long.parseLong(place.group(1)),
                    place.group(2),
                    Integer.parseInt(place.group(3))),
                place.group(4) != null))
        : Optional.empty();
  }

  /** The node with this place. */
  Resource<Node.Spec, Node.Status> in(Resource<Node.Spec, Node.Status> node) {
    var annotations = new TreeMap<>(node.meta().annotations());
    var text = "%d %s %d".formatted(elector.id(), elector.host(), elector.port());
    annotations.put(Node.ELECTOR, votes ? text + " " + VOTES : text);
    var meta = node.meta().withAnnotations(annotations);
    return node.withMeta(meta.deleting() ? meta : meta.adding(Node.MEMBER));
  }

  /** The same with or without a vote. */
  ElectorPlace voting(boolean now) {
    return new ElectorPlace(elector, now);
  }
}
