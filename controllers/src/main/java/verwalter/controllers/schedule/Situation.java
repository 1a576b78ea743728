package verwalter.controllers.schedule;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.Json;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;

/** Everything a decision is made from, as objects; {@link #input} is how the scheduler sees it. */
record Situation(
    Instant now,
    String host,
    String id,
    List<Resource<Node.Spec, Node.Status>> nodes,
    List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles,
    Optional<Schedule.Spec> parent) {

  Situation {
    nodes = List.copyOf(nodes);
    roles = List.copyOf(roles);
  }

  /** The input table (verwalter.md 3.4). */
  Map<String, Object> input() {
    var input = new LinkedHashMap<String, Object>();
    input.put("now", now.toEpochMilli());
    input.put("current_host", host);
    input.put("current_id", id);
    input.put("parents", parents().stream().map(Schedule.Spec::data).toList());
    input.put("actions", Map.of());
    input.put("runtime", runtime());
    input.put("peers", peers());
    input.put("metrics", Map.of());
    return Json.freeze(input);
  }

  /** The decisions that were in force before: none at the very first. */
  List<Schedule.Spec> parents() {
    return parent.filter(Schedule.Spec::decided).stream().toList();
  }

  private Map<String, Object> runtime() {
    var runtime = new LinkedHashMap<String, Object>();
    roles.stream()
        .filter(role -> !role.meta().deleting())
        .forEach(role -> runtime.put(role.name(), role.spec().runtime()));
    return runtime;
  }

  /** All nodes but this one, by machine id. */
  private Map<String, Object> peers() {
    var peers = new LinkedHashMap<String, Object>();
    for (var node : nodes) {
      var status = node.status();
      if (node.name().equals(host) || status.isEmpty()) {
        continue;
      }
      var id = status.get().facts().getOrDefault("machineId", node.name());
      var peer = new LinkedHashMap<String, Object>();
      peer.put("id", id);
      status.get().addresses().stream().findFirst().ifPresent(addr -> peer.put("addr", addr));
      peer.put("name", status.get().facts().getOrDefault("name", node.name()));
      peer.put("hostname", node.name());
      node.meta().created().ifPresent(at -> peer.put("known_since", at.toEpochMilli()));
      peer.put("errors", (long) status.get().roles().failing());
      peers.put(id, peer);
    }
    return peers;
  }
}
