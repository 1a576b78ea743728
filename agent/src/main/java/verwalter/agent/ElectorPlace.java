package verwalter.agent;

import java.util.Optional;
import java.util.TreeMap;
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
  /** Lets a Node stay until its server is not a member of the ensemble any more. */
  static final String FINALIZER = "verwalter.io/elector";

  private static final String ANNOTATION = "verwalter.io/elector";
  private static final String VOTES = "votes";
  private static final int LENGTH = 3;

  /** The place of a node; empty if it has none. */
  static Optional<ElectorPlace> of(Resource<Node.Spec, Node.Status> node) {
    return Optional.ofNullable(node.meta().annotations().get(ANNOTATION)).map(ElectorPlace::read);
  }

  private static ElectorPlace read(String text) {
    var parts = text.split(" ", -1);
    var elector = new Elector(Long.parseLong(parts[0]), parts[1], Integer.parseInt(parts[2]));
    return new ElectorPlace(elector, parts.length > LENGTH && parts[LENGTH].equals(VOTES));
  }

  /** The node with this place. */
  Resource<Node.Spec, Node.Status> in(Resource<Node.Spec, Node.Status> node) {
    var annotations = new TreeMap<>(node.meta().annotations());
    var text = "%d %s %d".formatted(elector.id(), elector.host(), elector.port());
    annotations.put(ANNOTATION, votes ? text + " " + VOTES : text);
    var meta = node.meta().withAnnotations(annotations);
    return node.withMeta(meta.deleting() ? meta : meta.adding(FINALIZER));
  }

  /** The same with or without a vote. */
  ElectorPlace voting(boolean now) {
    return new ElectorPlace(elector, now);
  }
}
