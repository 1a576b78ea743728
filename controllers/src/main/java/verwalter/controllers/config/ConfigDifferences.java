package verwalter.controllers.config;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ConfigHashes;
import verwalter.model.Configuration;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Says in each node how its configuration directory differs from the settings in force and from the
 * other parts of the leader's directory, and in each role which of its nodes have other templates.
 */
public final class ConfigDifferences implements Reconciler {
  private static final ResourceKey KEY = new ResourceKey("ConfigDirectory", "differences");
  private static final String NAME = "config-differences";

  /** Changes within this time are compared together: directories are often changed one by one. */
  private static final Duration GATHERING = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final Loop loop;
  private final String leader;

  /** Creates a reconciler for the leader with this name. */
  public ConfigDifferences(ObjectStore store, Loop loop, String leader) {
    this.store = store;
    this.loop = loop;
    this.leader = leader;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .watching(store, Node.KIND, any -> Stream.of(KEY))
        .watching(store, NodeSchedule.KIND, any -> Stream.of(KEY))
        .watching(store, Configuration.KIND, any -> Stream.of(KEY))
        .coalescing(GATHERING);
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var inForce = store.get(Configuration.KIND, Configuration.CURRENT).flatMap(Resource::status);
    var own = store.get(Node.KIND, leader).flatMap(ConfigDifferences::hashes);
    if (inForce.isEmpty() || own.isEmpty()) {
      return Result.done();
    }
    var writes = new ArrayList<Write>();
    var nodes = Node.current(store.list(Node.KIND));
    for (var node : nodes) {
      hashes(node).ifPresent(its -> writes.addAll(node(node, its, own.get(), inForce.get())));
    }
    writes.addAll(roles(nodes, own.get()));
    return writes.isEmpty() ? Result.done() : store.commit(writes).map(Result.DONE);
  }

  private static Optional<ConfigHashes> hashes(Resource<Node.Spec, Node.Status> node) {
    return node.status().flatMap(Node.Status::config);
  }

  private List<Write> node(
      Resource<Node.Spec, Node.Status> node,
      ConfigHashes its,
      ConfigHashes own,
      Configuration.Status inForce) {
    var message = difference(its, own, inForce);
    var status = node.status().orElseThrow();
    var conditions =
        conditions(
            status.conditions(),
            ConditionType.CONFIG_IN_FORCE,
            message,
            Reason.IN_FORCE,
            Reason.DIRECTORY_DIFFERS,
            node.meta().generation());
    return conditions.equals(status.conditions())
        ? List.of()
        : List.of(new Write.PutStatus(node.withStatus(status.withConditions(conditions))));
  }

  /** In which parts a directory differs; empty if in none. */
  private String difference(ConfigHashes its, ConfigHashes own, Configuration.Status inForce) {
    var found = new ArrayList<String>();
    if (!its.settings().equals(inForce.settings())) {
      var parts = PartsText.of(settings(its.parts(), true), settings(inForce.parts(), true));
      found.add(
          "from the settings in force, which were read from %s: %s"
              .formatted(inForce.node(), parts.isEmpty() ? "scheduler or roles" : parts));
    }
    var parts = PartsText.of(settings(its.parts(), false), settings(own.parts(), false));
    if (!parts.isEmpty()) {
      found.add("from the leader %s: %s".formatted(leader, parts));
    }
    return found.isEmpty()
        ? ""
        : "the configuration directory differs " + String.join("; and ", found);
  }

  private static Map<String, String> settings(Map<String, String> parts, boolean wanted) {
    var some = new TreeMap<>(parts);
    some.keySet().removeIf(part -> ConfigHashes.isSettings(part) != wanted);
    return some;
  }

  private List<Write> roles(List<Resource<Node.Spec, Node.Status>> nodes, ConfigHashes own) {
    var byName = new HashMap<String, ConfigHashes>();
    nodes.forEach(node -> hashes(node).ifPresent(its -> byName.put(node.name(), its)));
    var different = new TreeMap<String, TreeSet<String>>();
    for (var share : store.list(NodeSchedule.KIND)) {
      var its = byName.get(share.name());
      if (its != null) {
        share
            .spec()
            .roles()
            .forEach(
                (role, variables) -> {
                  if (!sameTemplate(variables.get("template"), its, own)) {
                    different.computeIfAbsent(role, any -> new TreeSet<>()).add(share.name());
                  }
                });
      }
    }
    var writes = new ArrayList<Write>();
    for (var role : store.list(RoleConfig.KIND)) {
      var status = role.status();
      if (status.isPresent()) {
        var on = different.get(role.name());
        var conditions =
            conditions(
                status.get().conditions(),
                ConditionType.TEMPLATES_EQUAL,
                on == null
                    ? ""
                    : "its templates differ from those of the leader %s on %s"
                        .formatted(leader, String.join(", ", on)),
                Reason.EQUAL,
                Reason.TEMPLATES_DIFFER,
                role.meta().generation());
        if (!conditions.equals(status.get().conditions())) {
          writes.add(new Write.PutStatus(role.withStatus(status.get().withConditions(conditions))));
        }
      }
    }
    return writes;
  }

  private static boolean sameTemplate(
      @Nullable Object template, ConfigHashes its, ConfigHashes own) {
    if (!(template instanceof String path)) {
      return true;
    }
    int slash = path.indexOf('/');
    var part = ConfigHashes.TEMPLATES + "/" + (slash < 0 ? path : path.substring(0, slash));
    return Optional.ofNullable(its.parts().get(part))
        .equals(Optional.ofNullable(own.parts().get(part)));
  }

  /** The conditions with a false one for a message; true only if it was false before. */
  private List<Condition> conditions(
      List<Condition> present,
      ConditionType type,
      String message,
      Reason equal,
      Reason different,
      long generation) {
    if (!message.isEmpty()) {
      return Condition.put(
          present, Condition.ofFalse(type, different, message, generation, loop.now()));
    }
    return Condition.find(present, type).isEmpty()
        ? present
        : Condition.put(present, Condition.ofTrue(type, equal, "", generation, loop.now()));
  }
}
