package verwalter.cluster.joining;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.JoinToken;
import verwalter.model.Names;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Write;

/**
 * Decides whether a node may take another name. Pure.
 *
 * <p>The Node is created under the new name with everything that the old one has, and with its
 * place among the electors. The old one stays, without the place, until the agent runs under the
 * new name: until then it can repeat the request.
 *
 * @param writes what the leader writes in one transaction; empty for a repeated request
 */
record RenameDecision(List<Write> writes) {
  /**
   * What the cluster knows.
   *
   * @param from the present Node
   * @param to the Node of the new name
   * @param tokens all tokens
   */
  record Situation(
      Resource<Node.Spec, Node.Status> from,
      Optional<Resource<Node.Spec, Node.Status>> to,
      Collection<Resource<JoinToken.Spec, JoinToken.Status>> tokens,
      Instant now) {}

  /**
   * Decides.
   *
   * @param key SHA-256 of the key of the request
   */
  static RenameDecision decide(String name, String key, Situation situation) throws Refused {
    var from = situation.from();
    boolean isDone = from.name().equals(name); // the machine has the certificate already
    if (isDone || situation.to().filter(to -> Node.replaces(to, from)).isPresent()) {
      return new RenameDecision(List.of());
    }
    if (!Names.isValid(name)) {
      throw new Refused(Refused.Reason.INVALID, "the new name is not valid: " + Names.RULE, "");
    }
    if (situation.to().isPresent()) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN, "there is a node %s already".formatted(name), "vw get nodes");
    }
    var token =
        situation.tokens().stream()
            .filter(it -> isFor(it, from.name(), name, situation.now()))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        Refused.Reason.WRONG_TOKEN,
                        "no valid token gives node %s the name %s".formatted(from.name(), name),
                        "vw node rename %s %s".formatted(from.name(), name)));
    var machine = Node.machineId(from).orElse("");
    var use = new JoinToken.Use(name, machine, key, situation.now());
    return new RenameDecision(
        List.of(
            new Write.Put(renamed(from, name)),
            new Write.Put(withoutPlace(from)),
            new Write.PutStatus(
                token.withStatus(
                    new JoinToken.Status(token.meta().generation(), 1, List.of(use))))));
  }

  /** Whether a token gives a node a name. */
  static boolean isFor(
      Resource<JoinToken.Spec, JoinToken.Status> token, String from, String name, Instant now) {
    return token.spec().purpose() == JoinToken.Purpose.NODE
        && JoinToken.renames(token).equals(Optional.of(from))
        && token.spec().name().equals(Optional.of(name))
        && JoinToken.used(token) == 0
        && !token.meta().deleting()
        && now.isBefore(token.spec().expires());
  }

  private static Resource<Node.Spec, Node.Status> renamed(
      Resource<Node.Spec, Node.Status> from, String name) {
    var names = new LinkedHashSet<>(List.of(from.name()));
    names.addAll(Node.formerNames(from));
    names.remove(name);
    var annotations = new TreeMap<>(from.meta().annotations());
    annotations.put(Node.FORMER_NAMES, String.join(",", names));
    var made = Resource.<Node.Spec, Node.Status>of(Node.KIND, name, from.spec());
    var meta =
        made.meta()
            .withLabels(from.meta().labels())
            .withAnnotations(annotations)
            .adding(Node.MEMBER);
    var node = made.withMeta(meta);
    return from.status().map(node::withStatus).orElse(node);
  }

  private static Resource<Node.Spec, Node.Status> withoutPlace(
      Resource<Node.Spec, Node.Status> from) {
    var annotations = new TreeMap<>(from.meta().annotations());
    annotations.remove(Node.ELECTOR);
    return from.withMeta(from.meta().withAnnotations(annotations));
  }
}
