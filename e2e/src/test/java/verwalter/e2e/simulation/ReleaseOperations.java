package verwalter.e2e.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import verwalter.model.DeploymentRef;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.testkit.Faults;

/** What happens to the machines of a {@link ReleaseSimulation}: commands and faults. */
final class ReleaseOperations {
  static final List<String> ROLES = List.of("api", "web");

  /** The versions, with the number of their archive; the last one has none. */
  private static final List<Integer> VERSIONS = List.of(1, 2, 3, 3, 0);

  /** After this time what nobody names is removed. */
  static final Duration OLD = Duration.ofDays(8);

  private final ReleaseCluster cluster;
  private final Map<SimulatedNode, ReleaseFacts> facts;
  private final PolicyOperations policies;
  private final SimulationTrace trace;
  private final Random random;

  /** The images that supervisors refused. */
  private final Set<String> refused = new TreeSet<>();

  /** Whether objects are taken from the store. */
  private final boolean loses;

  ReleaseOperations(
      ReleaseCluster cluster,
      Map<SimulatedNode, ReleaseFacts> facts,
      PolicyOperations policies,
      SimulationTrace trace,
      Random random) {
    this.cluster = cluster;
    this.facts = facts;
    this.policies = policies;
    this.trace = trace;
    this.random = random;
    this.loses = random.nextInt(4) == 0;
  }

  static String source(int archive) {
    return "http://files/%d.tar.gz".formatted(archive);
  }

  private <V> V one(List<V> all) {
    return all.get(random.nextInt(all.size()));
  }

  private SimulatedNode node() {
    return one(cluster.nodes);
  }

  /** Does one random thing. */
  void act() throws IOException {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> schedule();
      case 3, 4 -> command();
      case 5 -> disk();
      case 6 -> supervise();
      case 7, 8 -> agent();
      default -> other();
    }
  }

  /** Changes what the scheduler wants. */
  private void schedule() {
    var role = one(ROLES);
    switch (random.nextInt(13)) {
      case 0, 1, 2, 3, 4 -> want(role, policies.give(role, version()));
      case 5 -> change(role, it -> it.times(it.count() == 0 ? 1 : 0));
      case 6 -> change(role, it -> it.times(random.nextInt(4)));
      case 7 -> remove(role);
      case 8 -> change(role, it -> variable(it, "note"));
      case 9 -> change(role, it -> variable(it, "setting"));
      case 10 -> change(role, this::withBadDigest);
      case 11 -> change(role, it -> it.with("update", policies.update()));
      default -> {
        cluster.schedulerBroken = !cluster.schedulerBroken;
        cluster.touch("scheduler");
      }
    }
  }

  /** A random version, mostly with an archive and its digest. */
  private Wanted version() {
    int number = random.nextInt(VERSIONS.size());
    int archive = VERSIONS.get(number);
    var image = Optional.of(source(archive)).filter(it -> archive > 0);
    var wanted = new Wanted("v" + (number + 1), random.nextInt(6) == 0 ? 0 : 1, image);
    return archive > 0 && random.nextInt(5) == 0 ? withoutDigest(wanted) : wanted;
  }

  private static Wanted withoutDigest(Wanted wanted) {
    return wanted.with("image", Map.of("url", wanted.image().orElseThrow()));
  }

  private Wanted withBadDigest(Wanted wanted) {
    var url = wanted.image().orElse(source(1));
    return wanted.with("image", Map.of("url", url, "sha256", "xyz"));
  }

  private Wanted variable(Wanted wanted, String name) {
    return wanted.with(Wanted.VARIABLES, Map.of(name, "" + random.nextInt(3)));
  }

  private void change(String role, UnaryOperator<Wanted> change) {
    Optional.ofNullable(cluster.roles.get(role)).ifPresent(it -> want(role, change.apply(it)));
  }

  void want(String role, Wanted wanted) {
    trace.note("%s: %s".formatted(role, wanted));
    cluster.roles.put(role, wanted);
    cluster.touch("runtime");
  }

  private void remove(String role) {
    trace.note("no " + role);
    cluster.roles.remove(role);
    cluster.touch("runtime");
  }

  /** An operator's command, or what another leader writes. */
  private void command() {
    var role = one(ROLES);
    var node = node();
    switch (random.nextInt(6)) {
      case 0, 1 -> purge(node, role);
      case 2 -> restart(node, role);
      case 3 -> {
        purge(node, role);
        restart(node, role);
      }
      case 4 -> count(node, role);
      default -> former(node);
    }
  }

  private Optional<Resource<RoleInstance.Spec, RoleInstance.Status>> instance(
      SimulatedNode node, String role) {
    return cluster.truth().get(RoleInstance.KIND, RoleInstance.name(role, node.name));
  }

  private void command(Resource<RoleInstance.Spec, RoleInstance.Status> next) {
    var operator = Author.ofLeader(Writer.OPERATOR, cluster.truth().epoch());
    AuthoredStore.of(cluster.truth(), operator).put(next);
  }

  private static long next(Optional<Long> wanted, Optional<Long> done) {
    return 1 + Math.max(wanted.orElse(0L), done.orElse(0L));
  }

  private void purge(SimulatedNode node, String role) {
    instance(node, role)
        .filter(it -> !it.meta().deleting())
        .ifPresent(
            it -> {
              long counter =
                  next(
                      it.spec().purgeCounter(),
                      it.status().flatMap(RoleInstance.Status::purgeCounter));
              trace.note("purge %d of %s".formatted(counter, it.name()));
              facts.get(node).purge(role, counter);
              command(it.withSpec(it.spec().withPurgeCounter(Optional.of(counter))));
            });
  }

  private void restart(SimulatedNode node, String role) {
    instance(node, role)
        .filter(it -> !it.meta().deleting())
        .ifPresent(
            it -> {
              long counter =
                  next(
                      it.spec().restartCounter(),
                      it.status().flatMap(RoleInstance.Status::restartCounter));
              trace.note("restart %d of %s".formatted(counter, it.name()));
              facts.get(node).restart(role, counter);
              node.shares.restart(role, counter);
              command(it.withSpec(it.spec().withRestartCounter(Optional.of(counter))));
            });
  }

  /** Counters shrink, as after a restored backup. */
  private void count(SimulatedNode node, String role) {
    instance(node, role)
        .filter(it -> !it.meta().deleting())
        .ifPresent(
            it -> {
              trace.note("smaller counters of " + it.name());
              var spec = it.spec();
              cluster
                  .truth()
                  .put(
                      it.withSpec(
                          spec.withRestartCounter(smaller(spec.restartCounter()))
                              .withPurgeCounter(smaller(spec.purgeCounter()))));
            });
  }

  private Optional<Long> smaller(Optional<Long> counter) {
    return counter.map(it -> random.nextLong(it + 1)).filter(it -> it > 0);
  }

  /** A former leader writes a share that it had decided before. */
  private void former(SimulatedNode node) {
    cluster
        .truth()
        .get(NodeSchedule.KIND, node.name)
        .ifPresent(
            share -> {
              var roles = new TreeMap<>(share.spec().roles());
              roles.replaceAll((role, variables) -> reversed(variables));
              trace.note("another leader writes the share of %s: %s".formatted(node.name, roles));
              cluster
                  .truth()
                  .put(
                      share.withSpec(
                          new NodeSchedule.Spec(
                              share.spec().schedule(), roles, share.spec().versions())));
            });
  }

  private Map<String, Object> reversed(Map<String, Object> variables) {
    var changed = new TreeMap<>(variables);
    changed.put("count", random.nextLong(3));
    return changed;
  }

  /** Damages a disk or what it downloads from. */
  private void disk() {
    var node = node();
    var disk = cluster.disk(node);
    var source = source(1 + random.nextInt(3));
    var all = List.of(disk.missing, disk.damaged, disk.broken, disk.malformed);
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> {
        int which = random.nextInt(all.size());
        trace.note("fault %d of %s at %s".formatted(which, source, node.name));
        all.get(which).add(source);
      }
      case 4 -> all.forEach(each -> each.remove(source));
      case 5 -> disk.full = !disk.full;
      case 6 -> disk.silent = !disk.silent;
      case 7 -> disk.failingRemovals = random.nextInt(3);
      case 8 -> {
        var archives = List.copyOf(disk.archives);
        if (!archives.isEmpty()) {
          trace.note("an archive vanishes from " + node.name);
          disk.archives.remove(one(archives));
        }
      }
      default -> vanish(node);
    }
  }

  private void vanish(SimulatedNode node) {
    var disk = cluster.disk(node);
    var keys = List.copyOf(disk.releases.keySet());
    if (!keys.isEmpty()) {
      var key = one(keys);
      trace.note("the directory of %s vanishes from %s".formatted(key, node.name));
      facts.get(node).vanish(key);
      disk.releases.remove(key);
    }
  }

  private void supervise() {
    var node = node();
    var trouble = cluster.trouble(node);
    facts.get(node).late(cluster.world.now());
    switch (random.nextInt(8)) {
      case 0 -> trouble.silent = true;
      case 1 -> trouble.failing = true;
      case 2 -> trouble.late = Duration.ofMillis(1 + random.nextInt(20_000));
      case 3, 4 -> {
        var images = images(node);
        if (!images.isEmpty()) {
          var image = one(images);
          trace.note("%s disturbs %s".formatted(node.name, image));
          refused.add(image);
          disturb(node, image);
        }
      }
      case 5 -> {
        accept(node);
        cluster.endTrouble(node);
      }
      case 6 -> cluster.endTrouble(node);
      default -> {
        if (node.hasAgent()) {
          node.killProcess();
        }
      }
    }
  }

  private void disturb(SimulatedNode node, String image) {
    if (random.nextInt(3) == 0) {
      node.machine.failAfter(image, Duration.ofMillis(1 + random.nextInt(12_000)));
    } else {
      node.machine.refuse(image, "it is not allowed");
    }
  }

  /** The supervisor of a machine refuses nothing any more, and no process fails. */
  void accept(SimulatedNode node) {
    refused.forEach(
        image -> {
          node.machine.accept(image);
          node.machine.repair(image);
        });
  }

  /** Removes a role if the machines do not have the memory for all. */
  void fit() {
    if (!policies.fit(cluster.roles)) {
      remove(one(ROLES));
    }
  }

  /** Versions that have failed are tried again, and staged changes get into effect. */
  void restartWaiting() {
    for (var node : cluster.nodes) {
      for (var role : List.copyOf(cluster.roles.keySet())) {
        var status = instance(node, role).flatMap(Resource::status);
        boolean failed = status.flatMap(RoleInstance.Status::failed).isPresent();
        if (failed || cluster.roles.get(role).settings().toString().contains("staged")) {
          restart(node, role);
        }
      }
    }
  }

  /** The images that a machine has or may get soon. */
  private List<String> images(SimulatedNode node) {
    var images = new ArrayList<String>();
    cluster.truth().list(DeploymentRef.KIND).stream()
        .filter(it -> it.spec().node().equals(node.name))
        .forEach(it -> images.add(DeploymentRef.key(it.spec()) + "/files"));
    ROLES.forEach(role -> images.add(role + "-v5"));
    return images;
  }

  /** Kills, starts or disturbs an agent. */
  private void agent() throws IOException {
    var node = node();
    switch (random.nextInt(9)) {
      case 0 -> {
        if (node.hasAgent()) {
          trace.note(node.name + " is killed");
          cluster.killAgent(node);
        }
      }
      case 1, 2, 3 -> node.points.arm(random.nextInt(60));
      case 4, 5 -> cluster.startAgents();
      case 6 -> reboot(node);
      case 7 -> node.setClock(Duration.ofSeconds(random.nextInt(7200) - 3600));
      default -> {
        facts.values().forEach(it -> it.late(cluster.world.now()));
        cluster.become(one(List.of(Faults.NONE, Faults.SLOW, Faults.HARSH)));
        cluster.breakWatches(node);
      }
    }
  }

  private void reboot(SimulatedNode node) throws IOException {
    trace.note(node.name + " is rebooted");
    if (node.hasAgent()) {
      cluster.killAgent(node);
    }
    var rendered = MachineView.of(node, Optional.empty()).outputs().keySet();
    facts.get(node).rebooted(cluster.world.now(), rendered);
    node.machine.reboot(cluster.world.now());
    node.startAgent();
  }

  private void other() {
    var node = node();
    switch (random.nextInt(4)) {
      case 0, 1 -> {
        var what = random.nextBoolean() ? one(ROLES) : "v" + (1 + random.nextInt(5));
        if (!node.files.broken.remove(what)) {
          trace.note("templates of %s are broken at %s".formatted(what, node.name));
          node.files.broken.add(what);
        }
        node.touch("templates");
      }
      case 2 -> {
        cluster.disk(node).age(OLD);
        if (random.nextBoolean()) {
          cluster.runFor(Duration.ofMinutes(70));
        }
      }
      default -> {
        if (loses) {
          lose(node);
        }
      }
    }
  }

  /** Objects vanish, or somebody who is not their writer removes them. */
  private void lose(SimulatedNode node) {
    var now = cluster.world.now();
    ROLES.forEach(role -> facts.get(node).lose(role, now));
    var kinds =
        List.of(RoleInstance.KIND, TemplateOutput.KIND, ProcessGroup.KIND, DeploymentRef.KIND);
    var kind = one(kinds);
    boolean vanish = random.nextBoolean();
    trace.note("%s %ss of %s".formatted(vanish ? "lost" : "removed", kind.name(), node.name));
    if (vanish) {
      node.forget(kind);
    } else {
      node.lose(kind);
    }
  }
}
