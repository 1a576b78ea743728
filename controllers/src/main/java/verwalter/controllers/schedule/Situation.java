package verwalter.controllers.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.cluster.sides.LossPolicy;
import verwalter.cluster.sides.NodeLoss.Presence;
import verwalter.model.Action;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.Schedule;
import verwalter.model.VersionSettings;
import verwalter.model.json.Json;

/**
 * The state that a decision is made from. {@link #input} converts it to the scheduler's input.
 *
 * @param host name of the node that decides
 * @param id machine id of the node that decides
 * @param instances the role instances by node and role, as the scheduler sees them
 * @param parents the previous decisions: none for the first decision, several after a split of the
 *     cluster
 */
record Situation(
    Instant now,
    String host,
    String id,
    List<Resource<Node.Spec, Node.Status>> nodes,
    List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles,
    Map<String, Object> instances,
    List<Resource<Action.Spec, Action.Status>> actions,
    List<Schedule.Spec> parents,
    Map<String, Object> metrics) {

  Situation {
    nodes = Node.current(nodes);
    roles = roles.stream().filter(role -> !role.meta().deleting()).toList();
    instances = Json.freeze(instances);
    actions = actions.stream().filter(Action::pending).toList();
    parents = distinct(parents);
  }

  /** The schedules that are decisions, each once, in the order given. */
  private static List<Schedule.Spec> distinct(List<Schedule.Spec> parents) {
    var byHash = new LinkedHashMap<String, Schedule.Spec>();
    parents.stream()
        .filter(Schedule.Spec::decided)
        .forEach(parent -> byHash.putIfAbsent(parent.hash(), parent));
    return List.copyOf(byHash.values());
  }

  /** Returns a copy without some roles and actions. */
  Situation without(Set<ResourceKey> left) {
    if (left.isEmpty()) {
      return this;
    }
    return new Situation(
        now,
        host,
        id,
        nodes,
        roles.stream().filter(role -> !left.contains(role.key())).toList(),
        instances,
        actions.stream().filter(action -> !left.contains(action.key())).toList(),
        parents,
        metrics);
  }

  /** The number of roles and actions. */
  int entries() {
    return roles.size() + actions.size();
  }

  /** The input of verwalter 0.13, with the additional keys {@code nodes} and {@code instances}. */
  Map<String, Object> input() {
    var input = new LinkedHashMap<String, Object>();
    input.put("now", now.toEpochMilli());
    input.put("current_host", host);
    input.put("current_id", id);
    input.put("parents", parents.stream().map(Schedule.Spec::data).toList());
    input.put("actions", requests());
    input.put("runtime", runtime());
    input.put("peers", peers());
    input.put("metrics", metrics);
    input.put("nodes", machines());
    input.put("instances", instances);
    return Json.freeze(input);
  }

  /** An input without the time. Two of them are equal if nothing but the time has changed. */
  static Map<String, Object> withoutTime(Map<String, Object> input) {
    var rest = new LinkedHashMap<>(input);
    rest.remove("now");
    return rest;
  }

  private Map<String, Object> runtime() {
    var runtime = new LinkedHashMap<String, Object>();
    roles.forEach(role -> runtime.put(role.name(), runtime(role)));
    return runtime;
  }

  /** The metadata of a role, with what operators want of it. */
  private static Object runtime(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    var intent = RoleIntent.of(role).json();
    if (role.spec().value().isPresent()) {
      return role.spec().runtime();
    }
    var runtime = withoutFiles(Json.object(role.spec().runtime()));
    if (intent.isEmpty()) {
      return runtime;
    }
    var all = new LinkedHashMap<>(runtime);
    all.put(RoleIntent.KEY, intent);
    return all;
  }

  /** The texts of templates are for nodes only. */
  private static Map<String, Object> withoutFiles(Map<String, Object> versions) {
    boolean any =
        versions.values().stream()
            .anyMatch(its -> Json.object(its).containsKey(VersionSettings.FILES));
    if (!any) {
      return versions;
    }
    var without = new LinkedHashMap<String, Object>();
    versions.forEach(
        (name, its) -> {
          var rest = new LinkedHashMap<>(Json.object(its));
          var files = rest.remove(VersionSettings.FILES) != null;
          without.put(name, files ? rest : its);
        });
    return without;
  }

  private Map<String, Object> requests() {
    var requests = new LinkedHashMap<String, Object>();
    actions.forEach(action -> requests.put(action.name(), action.spec().request()));
    return requests;
  }

  /** All nodes by name, including this one. */
  private Map<String, Object> machines() {
    var machines = new LinkedHashMap<String, Object>();
    for (var node : nodes) {
      var machine = new LinkedHashMap<String, Object>();
      machine.put("hostname", node.name());
      machine.put("labels", node.meta().labels());
      machine.put("cordoned", node.spec().cordoned());
      machine.put("draining", node.spec().draining());
      node.status()
          .ifPresent(
              status -> {
                machine.put("id", id(node.name(), status));
                address(status).ifPresent(address -> machine.put("address", address));
                machine.put(
                    "capacity",
                    Map.of(
                        "cpus",
                        (long) status.capacity().cpus(),
                        "memory_bytes",
                        status.capacity().memoryBytes()));
              });
      presence(node, machine);
      machines.put(node.name(), machine);
    }
    return machines;
  }

  /** All nodes but this one, by machine id. */
  private Map<String, Object> peers() {
    var peers = new LinkedHashMap<String, Object>();
    for (var node : nodes) {
      var status = node.status();
      if (node.name().equals(host) || status.isEmpty()) {
        continue;
      }
      var id = id(node.name(), status.get());
      var peer = new LinkedHashMap<String, Object>();
      peer.put("id", id);
      status.get().addresses().stream().findFirst().ifPresent(addr -> peer.put("addr", addr));
      peer.put("name", status.get().facts().getOrDefault("name", node.name()));
      peer.put("hostname", node.name());
      node.meta().created().ifPresent(at -> peer.put("known_since", at.toEpochMilli()));
      peer.put("errors", (long) status.get().roles().failing());
      presence(node, peer);
      peers.put(id, peer);
    }
    return peers;
  }

  /** The host at which other nodes reach a member of a cluster; an IPv6 address has brackets. */
  private static Optional<String> address(Node.Status status) {
    var all = status.facts().getOrDefault(Node.CLUSTER_ADDRESSES, "");
    var first = all.substring(0, all.contains(",") ? all.indexOf(',') : all.length());
    int colon = first.lastIndexOf(':');
    return colon > 0 ? Optional.of(first.substring(0, colon)) : Optional.empty();
  }

  private static String id(String name, Node.Status status) {
    return status.facts().getOrDefault(Node.MACHINE_ID, name);
  }

  /**
   * Adds whether the agent of the node runs: {@code ready} is true only if that is certain; {@code
   * unknown} is true if it cannot be determined, so that the processes of the node must be assumed
   * to run. {@code lost} has the roles for which the node has been silent for too long; it is
   * missing if there are none.
   */
  private void presence(Resource<Node.Spec, Node.Status> node, Map<String, Object> described) {
    var ready =
        node.status().flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
    described.put("ready", ready.filter(Condition::isTrue).isPresent());
    described.put("unknown", ready.map(it -> it.status() == Condition.Truth.UNKNOWN).orElse(true));
    var lost = lost(node);
    if (!lost.isEmpty()) {
      described.put("lost", lost);
    }
  }

  /** The roles whose processes on this node may be started elsewhere because it is silent. */
  private List<String> lost(Resource<Node.Spec, Node.Status> node) {
    var silence =
        node.status().flatMap(Node.Status::silentSeconds).map(Duration::ofSeconds).orElse(null);
    return silence == null
        ? List.of()
        : roles.stream()
            .filter(role -> LossPolicy.valid(role.spec()).isLost(Presence.LOST, silence))
            .map(Resource::name)
            .sorted()
            .toList();
  }
}
