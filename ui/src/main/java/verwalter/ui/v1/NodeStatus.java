package verwalter.ui.v1;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import verwalter.cluster.ClusterView;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;
import verwalter.problems.ObjectProblem;
import verwalter.problems.Severity;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.table.InstanceCounts;
import verwalter.ui.table.NodeColumns;

/** The responses of {@code /v1/status} and {@code /v1/election}. */
final class NodeStatus {
  /** Conditions of the schedule, and their keys in {@code errors}. */
  private static final Map<ConditionType, String> DOMAINS =
      Map.of(ConditionType.DECIDED, "scheduler", ConditionType.SCHEDULER_LOADED, "scheduler_load");

  private final ObjectStore store;
  private final ClusterView cluster;
  private final Supplier<List<ObjectProblem>> problems;

  NodeStatus(ObjectStore store, ClusterView cluster, Supplier<List<ObjectProblem>> problems) {
    this.store = store;
    this.cluster = cluster;
    this.problems = problems;
  }

  ObjectNode status(Instant now) {
    var self = cluster.self();
    var schedule = decided();
    var current = problems.get();
    var errors = errors(current);
    var failed = failedRoles(current);
    var status = JsonNodeFactory.instance.objectNode();
    status
        .put("version", "v" + self.version())
        .put("id", self.id())
        .put("name", self.name())
        .put("hostname", self.hostname())
        .put("peers", others().size())
        .put("peers_timestamp", now.toEpochMilli());
    leader(status, schedule);
    status.put("roles", schedule.map(it -> roles(it.data()).size()).orElse(0));
    stable(status, now);
    status.put("num_errors", errors.size() + failed.size());
    errors.forEach(status.putObject("errors")::put);
    failed.forEach(status.putArray("failed_roles")::add);
    status.put("debug_force_leader", cluster.forced());
    new TreeMap<>(cluster.metrics()).forEach(status.putObject("metrics")::put);
    status.putObject("fetch_state").put("state", cluster.leads() ? "StableLeader" : "Unstable");
    status.set("election_state", election(now));
    status.put("schedule_id", schedule.map(Schedule.Spec::hash).orElse(null));
    status.put("schedule_status", cluster.leads() ? "ok" : "unstable");
    status.put("default_frontend", self.defaultFrontend());
    problems(status.putArray("problems"), current);
    nodes(status.putObject("nodes"));
    InstanceCounts.of(store).forEach(status.putObject("instances")::put);
    return status;
  }

  /** The other nodes, as verwalter 0.13 lists them, and whether they are ready. */
  ArrayNode peers() {
    var peers = JsonNodeFactory.instance.arrayNode();
    for (var node : others()) {
      var facts = node.status().map(Node.Status::facts).orElse(Map.of());
      var peer =
          peers
              .addObject()
              .put("id", Node.machineId(node).orElse(""))
              .put(
                  "primary_addr",
                  node.status()
                      .flatMap(status -> status.addresses().stream().findFirst())
                      .orElse(null))
              .put("name", facts.getOrDefault("name", node.name()))
              .put("hostname", facts.getOrDefault(Node.HOSTNAME, node.name()))
              .put("known_since", node.meta().created().map(Instant::toEpochMilli).orElse(null))
              .putNull("last_report_direct")
              .put("errors", 0);
      node.status()
          .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY))
          .filter(condition -> condition.status() != Condition.Truth.UNKNOWN)
          .ifPresent(condition -> peer.put("ready", condition.isTrue()));
    }
    return peers;
  }

  private List<Resource<Node.Spec, Node.Status>> others() {
    return Node.current(store.list(Node.KIND)).stream()
        .filter(node -> Node.machineId(node).isPresent())
        .filter(node -> !Node.machineId(node).equals(Optional.of(cluster.self().id())))
        .toList();
  }

  ObjectNode election(Instant now) {
    boolean leads = cluster.leads();
    var election = JsonNodeFactory.instance.objectNode();
    election
        .put("is_leader", leads)
        .put("is_stable", cluster.leader().isPresent())
        .put("leader", leads ? null : cluster.leader().map(ClusterView.Member::id).orElse(null))
        .putNull("promoting")
        .putNull("num_votes_for_me")
        .putNull("needed_votes")
        .put("epoch", cluster.epoch())
        .put("deadline", now.toEpochMilli());
    stable(election, now);
    return election;
  }

  /** The schedule in force; empty if none was decided yet. */
  Optional<Schedule.Spec> decided() {
    return store
        .get(Schedule.KIND, Schedule.CURRENT)
        .map(schedule -> schedule.spec())
        .filter(Schedule.Spec::decided);
  }

  /** All roles in the schedule. */
  private static Set<String> roles(Map<String, Object> data) {
    var roles = new TreeSet<>(Json.object(data.get("roles")).keySet());
    Json.object(data.get("nodes"))
        .values()
        .forEach(node -> roles.addAll(Json.object(Json.object(node).get("roles")).keySet()));
    return roles;
  }

  private void leader(ObjectNode status, Optional<Schedule.Spec> schedule) {
    var leader = cluster.leader();
    if (leader.isEmpty()) {
      status.putNull("leader");
      return;
    }
    var member = leader.get();
    status
        .putObject("leader")
        .put("id", member.id())
        .put("name", member.name())
        .put("hostname", member.hostname())
        .put("addr", cluster.leads() ? null : member.address().orElse(null))
        .put("schedule", schedule.map(Schedule.Spec::hash).orElse(null));
  }

  private void stable(ObjectNode status, Instant now) {
    if (cluster.leader().isPresent()) {
      status.put("last_stable_timestamp", now.toEpochMilli());
    } else {
      status.putNull("last_stable_timestamp");
    }
  }

  /** The number of nodes in each state; a field of Verwalter that 0.13 does not have. */
  private void nodes(ObjectNode into) {
    var counts = new TreeMap<String, Integer>();
    store
        .list(Node.KIND)
        .forEach(node -> counts.merge(NodeColumns.health(node).word(), 1, Integer::sum));
    counts.forEach(into::put);
  }

  /** All problems; a field of Verwalter that 0.13 does not have. */
  private static void problems(ArrayNode into, List<ObjectProblem> problems) {
    for (var problem : problems) {
      var each =
          into.addObject()
              .put("severity", problem.severity().word())
              .put("kind", problem.object().kind())
              .put("name", problem.object().name());
      problem.role().ifPresent(role -> each.put("role", role));
      problem.node().ifPresent(node -> each.put("node", node));
      each.put("what", problem.what());
      problem.since().ifPresent(since -> each.put("since", since.toString()));
      each.put("why", problem.why()).put("next", problem.next());
    }
  }

  /** The problems of the scheduler by domain, and all other errors by object. */
  private Map<String, String> errors(List<ObjectProblem> problems) {
    var errors = new TreeMap<>(domains());
    var inDomains = Set.copyOf(errors.values());
    for (var problem : problems) {
      boolean listed =
          problem.object().kind().equals(Schedule.KIND.name()) && inDomains.contains(problem.why());
      if (problem.severity() != Severity.WARNING && !listed) {
        errors.merge(
            problem.object().toString(),
            problem.what() + ": " + problem.why(),
            (one, other) -> one + "; " + other);
      }
    }
    return errors;
  }

  /** The problems of the scheduler by domain. */
  private Map<String, String> domains() {
    var found = new TreeMap<String, String>();
    var conditions =
        store
            .get(Schedule.KIND, Schedule.CURRENT)
            .flatMap(schedule -> schedule.status())
            .map(status -> status.conditions())
            .orElse(List.of());
    DOMAINS.forEach(
        (type, domain) ->
            Condition.find(conditions, type)
                .filter(Condition::isFalse)
                .ifPresent(condition -> found.put(domain, condition.message())));
    return found;
  }

  /** The roles of this node. A node is identified by its host name, not by its display name. */
  private Set<String> failedRoles(List<ObjectProblem> problems) {
    return problems.stream()
        .filter(problem -> problem.object().kind().equals(TemplateOutput.KIND.name()))
        .filter(problem -> problem.severity() != Severity.WARNING)
        .filter(problem -> problem.node().equals(Optional.of(cluster.self().hostname())))
        .flatMap(problem -> problem.role().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
