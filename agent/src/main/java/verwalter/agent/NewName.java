package verwalter.agent;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import verwalter.model.JoinToken;
import verwalter.model.Node;
import verwalter.model.Resource;

/** Decides which name a node is to take. Pure. */
final class NewName {
  /**
   * The name that a node is to take: that of the Node which already replaces its own, or the one
   * that a token of an admin gives it. A token expires soon, so a rename that was interrupted after
   * the leader had created the new Node continues without it.
   *
   * @param node the present name
   * @param machine the machine id of the node
   * @return the name; empty if the node keeps its own
   */
  static Optional<String> of(
      String node,
      String machine,
      Collection<Resource<Node.Spec, Node.Status>> nodes,
      Collection<Resource<JoinToken.Spec, JoinToken.Status>> tokens,
      Instant now) {
    var own = nodes.stream().filter(it -> it.name().equals(node)).findFirst();
    return own.flatMap(present -> replacing(present, nodes))
        .or(
            () ->
                tokens.stream()
                    .filter(it -> JoinToken.renames(it).equals(Optional.of(node)))
                    .filter(it -> !it.meta().deleting() && now.isBefore(it.spec().expires()))
                    .filter(it -> JoinToken.used(it) == 0 || isUsed(it, machine))
                    .flatMap(it -> it.spec().name().stream())
                    .findFirst());
  }

  private static Optional<String> replacing(
      Resource<Node.Spec, Node.Status> own, Collection<Resource<Node.Spec, Node.Status>> nodes) {
    return nodes.stream()
        .filter(it -> !it.name().equals(own.name()) && Node.replaces(it, own))
        .map(Resource::name)
        .findFirst();
  }

  /** Whether this machine has used a token, but may not have received the answer. */
  private static boolean isUsed(Resource<JoinToken.Spec, JoinToken.Status> token, String machine) {
    return token.status().stream()
        .flatMap(status -> status.uses().stream())
        .anyMatch(use -> use.machine().equals(machine));
  }

  private NewName() {}
}
