package verwalter.ui.forward;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Scope;

/** Which node can answer a request. */
public enum Need {
  /** Any node, from what it has itself. */
  NOTHING,

  /** Any node that has the objects of the cluster. */
  CLUSTER,

  /** The leader, which has the objects of all nodes. Without one, this node shows its own. */
  ALL_NODES,

  /** The leader only: the request may write an object of the cluster or of another node. */
  LEADER,

  /**
   * The node that the request names in its parameter {@code node}: it has the files and processes.
   */
  NODE;

  private static final List<String> OF_NODE = List.of("/v1/logs/", "/v1/exec/");

  private static final Pattern OBJECTS =
      Pattern.compile("/apis/" + Pattern.quote(Kind.API_VERSION) + "/([^/]+)(?:/([^/]+))?(/.*)?");

  /** A path below {@code /v1/}, without the ending that chooses a format. */
  private static final Pattern V1 = Pattern.compile("/v1/([a-z_]+)(?:[./].*)?");

  private static final List<String> READS = List.of("GET", "HEAD", "OPTIONS");

  private static final Set<String> OF_ALL_NODES =
      Set.of("status", "decisions", "scheduler_input", "scheduler_debug_info");
  private static final Set<String> OF_CLUSTER =
      Set.of("schedule", "pending_actions", "action_is_pending");
  private static final Set<String> ACTIONS = Set.of("action", "wait_action");
  private static final Set<String> PAGES = Set.of("/", "/ui/events");

  /**
   * The other node that a request is for.
   *
   * @param path the decoded path, without parameters
   * @param asked the parameter {@code node}
   * @param node the name of this node
   */
  public static Optional<String> otherNode(String path, Optional<String> asked, String node) {
    return OF_NODE.stream().anyMatch(path::startsWith)
        ? asked.filter(it -> !it.equals(node))
        : Optional.empty();
  }

  /**
   * Determines what a request needs.
   *
   * @param path the decoded path, without parameters
   * @param node the name of this node
   */
  public static Need of(String method, String path, String node) {
    var objects = OBJECTS.matcher(path);
    if (objects.matches()) {
      return objects(
          READS.contains(method), objects.group(1), Optional.ofNullable(objects.group(2)), node);
    }
    if (PAGES.contains(path)) {
      return ALL_NODES;
    }
    var v1 = V1.matcher(path);
    if (!v1.matches()) {
      return NOTHING;
    }
    var name = v1.group(1);
    if (ACTIONS.contains(name)) {
      return LEADER;
    }
    if (OF_ALL_NODES.contains(name)) {
      return ALL_NODES;
    }
    return OF_CLUSTER.contains(name) ? CLUSTER : NOTHING;
  }

  private static Need objects(boolean reads, String plural, Optional<String> name, String node) {
    var kind = Kinds.ALL.stream().filter(each -> each.plural().equals(plural)).findFirst();
    if (kind.isEmpty()) {
      return NOTHING;
    }
    if (kind.get().scope() == Scope.CLUSTER) {
      return reads ? CLUSTER : LEADER;
    }
    if (name.filter(each -> isOwn(each, node)).isPresent()) {
      return NOTHING;
    }
    return reads ? ALL_NODES : LEADER;
  }

  /** Whether the name of a node object ends with the name of this node. */
  private static boolean isOwn(String name, String node) {
    return name.endsWith("@" + node) || name.endsWith("." + node);
  }
}
