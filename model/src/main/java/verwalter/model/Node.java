package verwalter.model;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** A machine of the cluster. Its labels are in the metadata. */
public final class Node {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Node", "no", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR, Writer.NODE)
          .statusBy(Writer.NODE, Writer.LEASE)
          .conditionBy(ConditionType.READY, Writer.LEASE);

  /**
   * The fact that tells machines apart, whatever their names are: the machine id, lower-case hex.
   */
  public static final String MACHINE_ID = "machineId";

  /** The annotation that holds the names a machine had before, the last one first, by commas. */
  public static final String FORMER_NAMES = "verwalter.io/former-names";

  /** The machine id of a node; empty until an agent has claimed the name. */
  public static Optional<String> machineId(Resource<Spec, Status> node) {
    return node.status().flatMap(status -> Optional.ofNullable(status.facts().get(MACHINE_ID)));
  }

  /** The names the machine of a node had before, the last one first. */
  public static List<String> formerNames(Resource<Spec, Status> node) {
    var names = node.meta().annotations().getOrDefault(FORMER_NAMES, "");
    return names.isEmpty() ? List.of() : List.of(names.split(","));
  }

  /** Those of these nodes that no other of them {@link #replaces}, in the same order. */
  public static List<Resource<Spec, Status>> current(Collection<Resource<Spec, Status>> nodes) {
    var byName = new HashMap<String, Resource<Spec, Status>>();
    nodes.forEach(node -> byName.put(node.name(), node));
    var former = new HashSet<String>();
    for (var node : nodes) {
      for (var name : formerNames(node)) {
        var other = byName.get(name);
        if (other != null && replaces(node, other)) {
          former.add(name);
        }
      }
    }
    return nodes.stream().filter(node -> !former.contains(node.name())).toList();
  }

  /**
   * Whether both are the same machine, which has the name of {@code node} now and had that of
   * {@code former} before. Of two that name each other, the machine has that of the newer one.
   */
  public static boolean replaces(Resource<Spec, Status> node, Resource<Spec, Status> former) {
    return machineId(node).isPresent()
        && machineId(node).equals(machineId(former))
        && formerNames(node).contains(former.name())
        && (!formerNames(former).contains(node.name()) || created(former).isBefore(created(node)));
  }

  private static Instant created(Resource<Spec, Status> node) {
    return node.meta().created().orElse(Instant.MAX);
  }

  /**
   * What operators ask of a machine.
   *
   * @param cordoned whether the scheduler should give it nothing new
   */
  public record Spec(boolean cordoned) {}

  /**
   * What the agent of that machine says of it.
   *
   * @param addresses where its HTTP API answers, {@code host:port}
   * @param facts what does not change while it runs: {@code hostname}, {@code machineId}, {@code
   *     os}, {@code kernel}, {@code arch}, {@code agentVersion}
   * @param capacity what there is to share out
   * @param schedule hash of the schedule that changed its share last, once that was carried out
   * @param roles how many roles it was given and how many of them are as wanted
   */
  public record Status(
      long observedGeneration,
      List<String> addresses,
      Map<String, String> facts,
      Capacity capacity,
      Optional<String> schedule,
      Roles roles,
      List<Condition> conditions)
      implements Conditioned<Status> {
    public Status {
      addresses = List.copyOf(addresses);
      facts = Json.freeze(facts);
      conditions = List.copyOf(conditions);
    }

    @Override
    public Status withConditions(List<Condition> conditions) {
      return new Status(
          observedGeneration, addresses, facts, capacity, schedule, roles, conditions);
    }
  }

  /**
   * Whole machines, before anything runs on them.
   *
   * @param cpus processors
   * @param memoryBytes memory, in bytes
   */
  public record Capacity(int cpus, long memoryBytes) {}

  /**
   * Counts of role instances.
   *
   * @param given how many roles the schedule gave the node
   * @param ready how many of them run as wanted
   * @param failing how many of them are broken
   */
  public record Roles(int given, int ready, int failing) {}

  private Node() {}
}
