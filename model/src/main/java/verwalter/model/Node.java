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
          .statusBy(Writer.NODE, Writer.LEASE, Writer.CONFIG)
          .finalizedBy(Node.MEMBER, Writer.MEMBERSHIP)
          .conditionBy(ConditionType.READY, Writer.LEASE)
          .conditionBy(ConditionType.CONFIG_IN_FORCE, Writer.CONFIG);

  /** The fact that identifies a machine independent of its name: the machine id, lower-case hex. */
  public static final String MACHINE_ID = "machineId";

  /** The fact with the name under which the agent of the machine runs. */
  public static final String HOSTNAME = "hostname";

  /**
   * The fact with the addresses at which other members of a cluster reach a node, {@code
   * host:port}, separated by commas.
   */
  public static final String CLUSTER_ADDRESSES = "clusterAddresses";

  /** The annotation with the former names of a machine, newest first, separated by commas. */
  public static final String FORMER_NAMES = "verwalter.io/former-names";

  /** The finalizer of the Node of a member, which stays until its certificates are refused. */
  public static final String MEMBER = "verwalter.io/member";

  /** The annotation with the place of a node in the ensemble that has the log of its cluster. */
  public static final String ELECTOR = "verwalter.io/elector";

  /** The machine id of a node; empty until an agent has claimed the name. */
  public static Optional<String> machineId(Resource<Spec, Status> node) {
    return node.status().flatMap(status -> Optional.ofNullable(status.facts().get(MACHINE_ID)));
  }

  /** The former names of the machine of a node, newest first. */
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
   * Whether both Nodes are the same machine, which was renamed from {@code former} to {@code node}.
   * If both list each other, the newer one is current.
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
   * The desired state of a machine, set by operators.
   *
   * @param cordoned whether the scheduler should assign no new roles to it
   * @param draining whether the scheduler should move its roles to other nodes
   */
  public record Spec(boolean cordoned, boolean draining) {
    /** Creates the state of a node whose roles stay. */
    public Spec(boolean cordoned) {
      this(cordoned, false);
    }
  }

  /**
   * The observed state of a machine, written by its agent.
   *
   * @param addresses addresses of its HTTP API, {@code host:port}
   * @param facts properties that do not change while the agent runs: {@code hostname}, {@code
   *     machineId}, {@code os}, {@code kernel}, {@code arch}, {@code agentVersion}
   * @param capacity the resources of the machine
   * @param schedule hash of the schedule that last changed the node's share, once that share was
   *     applied
   * @param roles counts of its roles and their states
   * @param silentSeconds for how many seconds its agent has at least been silent, while the
   *     condition {@code Ready} is unknown: the largest of the times after which some role reacts;
   *     written by the leader
   * @param config hashes of its configuration directory; empty before it is read, and without a
   *     cluster
   */
  public record Status(
      long observedGeneration,
      List<String> addresses,
      Map<String, String> facts,
      Capacity capacity,
      Optional<String> schedule,
      Roles roles,
      Optional<Long> silentSeconds,
      List<Condition> conditions,
      Optional<ConfigHashes> config)
      implements Conditioned<Status> {
    public Status {
      addresses = List.copyOf(addresses);
      facts = Json.freeze(facts);
      conditions = List.copyOf(conditions);
    }

    /** Creates the status of a node that is not silent, and has not read its directory. */
    public Status(
        long observedGeneration,
        List<String> addresses,
        Map<String, String> facts,
        Capacity capacity,
        Optional<String> schedule,
        Roles roles,
        List<Condition> conditions) {
      this(
          observedGeneration,
          addresses,
          facts,
          capacity,
          schedule,
          roles,
          Optional.empty(),
          conditions,
          Optional.empty());
    }

    @Override
    public Status withConditions(List<Condition> conditions) {
      return new Status(
          observedGeneration,
          addresses,
          facts,
          capacity,
          schedule,
          roles,
          silentSeconds,
          conditions,
          config);
    }

    @Override
    public Optional<?> detail(ConditionType type) {
      return type == ConditionType.READY ? silentSeconds : Optional.empty();
    }

    @Override
    public Status withoutDetails() {
      return withSilence(Optional.empty());
    }

    /** Returns a copy with another {@link #silentSeconds}. */
    public Status withSilence(Optional<Long> seconds) {
      return new Status(
          observedGeneration,
          addresses,
          facts,
          capacity,
          schedule,
          roles,
          seconds,
          conditions,
          config);
    }
  }

  /**
   * The resources of a whole machine.
   *
   * @param cpus processors
   * @param memoryBytes memory in bytes
   */
  public record Capacity(int cpus, long memoryBytes) {}

  /**
   * Counts of role instances.
   *
   * @param given number of roles that the schedule assigns to the node
   * @param ready number of roles that are in the desired state
   * @param failing number of roles that are broken
   */
  public record Roles(int given, int ready, int failing) {}

  private Node() {}
}
