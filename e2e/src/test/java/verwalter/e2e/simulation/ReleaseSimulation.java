package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.controllers.deployment.DeploymentLimits;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.RoleInstance;

/** One run of machines that prepare and replace releases, with random commands and faults. */
final class ReleaseSimulation {
  /**
   * After this time, without faults, all versions have failed that do, and each release that has
   * vanished was noticed by an audit and unpacked anew.
   */
  private static final Duration SETTLED = DeploymentLimits.DEFAULT.audit().plusMinutes(5);

  private final long seed;
  private final Random random;
  private final SimulationTrace trace = new SimulationTrace();
  private final ReleaseCluster cluster;
  private final Map<SimulatedNode, ReleaseFacts> facts = new HashMap<>();
  private final ReleaseOperations operations;
  private int fresh = 10;

  ReleaseSimulation(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.cluster = new ReleaseCluster(seed, random.nextInt(5) == 0 ? 2 : 1, trace);
    var policies = new PolicyOperations(random);
    trace.begin(() -> cluster.world.now());
    for (var node : cluster.nodes) {
      var its = new ReleaseFacts();
      facts.put(node, its);
      node.reservable = policies.reservable();
      var rules = new ReleaseRules(cluster, node, its, policies, trace);
      cluster.world.always(rules::check);
    }
    this.operations = new ReleaseOperations(cluster, facts, policies, trace, random);
  }

  /** Runs it, and checks it. Returns a hash of everything that happened. */
  long run() throws IOException {
    cluster.startAgents();
    for (int step = 10 + random.nextInt(30); step > 0; step--) {
      operations.act();
      pause();
    }
    heal();
    converge();
    return cluster.world.trace();
  }

  private void pause() {
    switch (random.nextInt(8)) {
      case 0, 1 -> step(random.nextInt(300));
      case 2 -> cluster.runFor(Duration.ofMillis(random.nextInt(30_000)));
      case 3 -> cluster.runFor(Duration.ofSeconds(random.nextInt(900)));
      default -> cluster.runFor(Duration.ofMillis(random.nextInt(4_000)));
    }
  }

  private void step(int count) {
    for (int left = count; left > 0; left--) {
      cluster.world.step();
    }
  }

  /** Ends all faults. What has failed for ever gets another version. */
  private void heal() throws IOException {
    trace.note("all faults end");
    cluster.heal();
    for (var node : cluster.nodes) {
      operations.accept(node);
    }
    cluster.runFor(Duration.ZERO);
    for (var role : List.copyOf(cluster.roles.keySet())) {
      if (hasStopped(role)) {
        renew(role);
      }
    }
    operations.fit();
    List.of("runtime", "scheduler", "templates").forEach(cluster::touch);
    cluster.runFor(SETTLED);
    operations.restartWaiting();
  }

  private boolean hasStopped(String role) {
    var refs =
        cluster.truth().list(DeploymentRef.KIND).stream()
            .filter(it -> it.spec().role().equals(role))
            .toList();
    return cluster.roles.get(role).metadata().toString().contains("xyz")
        || refs.stream().anyMatch(it -> it.meta().deleting()) // and is used until the next version
        || refs.stream()
            .flatMap(it -> it.status().stream())
            .anyMatch(it -> it.nextRetry().isEmpty() && isFailing(it));
  }

  private static boolean isFailing(DeploymentRef.Status status) {
    return status.conditions().stream()
        .anyMatch(it -> it.isFalse() && !it.hasReason(Reason.PREPARING));
  }

  private void renew(String role) {
    int archive = ++fresh;
    var count = cluster.roles.get(role).count();
    var source = Optional.of(ReleaseOperations.source(archive));
    operations.want(role, new Wanted("v" + archive, count, source));
  }

  /** I10: without faults, exactly what is wanted runs, and nothing is left over. */
  private void converge() {
    for (int tries = 0; tries < 80 && !isSettled(); tries++) {
      cluster.runFor(Duration.ofSeconds(30));
    }
    assertSettled();
    cluster.runFor(Duration.ofMinutes(10));
    assertSettled();
    var before = writes();
    cluster.runFor(Duration.ofMinutes(5));
    assertThat(writes()).as("I10: writes without a change").isEqualTo(before);
    collect();
  }

  /** What a killed agent or the loss of objects has left on the disk goes once it is old. */
  private void collect() {
    cluster.nodes.forEach(node -> cluster.disk(node).age(ReleaseOperations.OLD));
    cluster.runFor(Duration.ofMinutes(70));
    assertSettled();
    for (var node : cluster.nodes) {
      var now = MachineView.of(node, Optional.empty());
      assertThat(now.releases().keySet()).as("I10: releases").isEqualTo(now.refs().keySet());
      assertThat(now.artifacts().keySet()).as("I10: archives").containsAll(now.archives());
    }
  }

  private boolean isSettled() {
    try {
      assertSettled();
      return true;
    } catch (AssertionError | java.util.NoSuchElementException notYet) {
      return false;
    }
  }

  private void assertSettled() {
    for (var node : cluster.nodes) {
      var now = MachineView.of(node, Optional.empty());
      assertThat(now.instances().keySet())
          .as("I10: instances of %s", node.name)
          .isEqualTo(cluster.roles.keySet());
      for (var role : cluster.roles.keySet()) {
        assertRuns(role, now);
      }
      assertThat(now.processes()).as("I10: processes").hasSameSizeAs(slots());
      assertThat(now.outputs().keySet()).as("I10: outputs").isEqualTo(cluster.roles.keySet());
      assertThat(now.images().keySet()).as("I10: files").isEqualTo(cluster.roles.keySet());
      assertDisk(node, now);
    }
  }

  private Set<String> slots() {
    var slots = new TreeSet<String>();
    cluster.roles.forEach(
        (role, wanted) -> {
          for (int i = 0; i < wanted.count(); i++) {
            slots.add(role + "/worker." + i);
          }
        });
    return slots;
  }

  private void assertRuns(String role, MachineView now) {
    var wanted = cluster.roles.get(role);
    var status = now.status(role).orElseThrow();
    var spec = now.instances().get(role).spec();
    assertThat(status.state())
        .as("I10: %s: %s", role, status.reason())
        .isEqualTo(wanted.count() == 0 ? RoleInstance.State.HALTED : RoleInstance.State.RUNNING);
    assertThat(status.replacement()).as("I10: %s", role).isEmpty();
    assertThat(status.failed()).as("I10: %s", role).isEmpty();
    assertThat(status.observedGeneration())
        .as("I20: %s", role)
        .isEqualTo(now.instances().get(role).meta().generation());
    assertThat(status.restartCounter().orElse(0L))
        .as("I15: restarts of %s", role)
        .isGreaterThanOrEqualTo(spec.restartCounter().orElse(0L));
    boolean hasImage = wanted.metadata().containsKey("image");
    for (int i = 0; i < wanted.count(); i++) {
      var slot = role + "/worker." + i;
      assertThat(now.processes()).as("I10").containsKey(slot);
      var process = now.processes().get(slot);
      assertThat(process.ends()).as("I10: %s", slot).isEmpty();
      assertThat(process.image())
          .as("I10: %s", slot)
          .startsWith(
              hasImage ? role + "@" + wanted.version() + "@" : role + "-" + wanted.version());
      if (process.spec().restartCounter().isPresent()) {
        assertThat(process.spec().restartCounter().get())
            .as("I15: restart of %s", slot)
            .isGreaterThanOrEqualTo(spec.restartCounter().orElse(0L));
      }
    }
  }

  private void assertDisk(SimulatedNode node, MachineView now) {
    var disk = cluster.disk(node);
    var digests = new TreeSet<String>();
    var roles = new ArrayList<String>();
    for (var ref : now.refs().values()) {
      var status = ref.status().orElseThrow();
      assertThat(status.state()).as("I10: %s", ref.name()).isEqualTo(DeploymentRef.State.CREATED);
      assertThat(ref.meta().deleting()).as("I10: %s", ref.name()).isFalse();
      assertThat(now.used(ref.spec().role())).contains(DeploymentRef.key(ref.spec()));
      digests.add(status.resolvedDigest().orElseThrow());
      roles.add(ref.spec().role());
    }
    var withImages = new ArrayList<String>();
    cluster.roles.forEach(
        (role, wanted) -> {
          if (wanted.metadata().containsKey("image")) {
            withImages.add(role);
          }
        });
    assertThat(roles).as("I10: releases").containsExactlyInAnyOrderElementsOf(withImages);
    assertThat(now.artifacts().keySet()).as("I8: artifacts").isEqualTo(digests);
    for (var artifact : now.artifacts().values()) {
      assertThat(artifact.status().map(Artifact.Status::users))
          .as("I8: users of %s", artifact.name())
          .contains(RefRules.users(now, artifact.spec().digest()));
    }
    assertThat(disk.releases.keySet()).as("I10: releases").containsAll(now.refs().keySet());
    assertThat(disk.half).as("I10: rests").isEmpty();
    assertThat(disk.running).as("I10: works").isEmpty();
  }

  private List<Object> writes() {
    var writes = new ArrayList<Object>();
    writes.add(cluster.truth().revision());
    cluster.nodes.forEach(node -> writes.add(node.machine.history().size()));
    return writes;
  }

  /** What happened last. */
  SimulationTrace trace() {
    return trace;
  }

  /** The states of all instances, for messages. */
  Map<String, Object> states() {
    var states = new TreeMap<String, Object>();
    cluster
        .truth()
        .list(RoleInstance.KIND)
        .forEach(it -> states.put(it.name(), it.status().map(Object::toString).orElse("")));
    cluster
        .truth()
        .list(DeploymentRef.KIND)
        .forEach(
            it ->
                states.put(
                    it.name(),
                    it.status().map(s -> s.state() + " " + s.reason() + conditions(s)).orElse("")));
    return states;
  }

  private static List<String> conditions(DeploymentRef.Status status) {
    return status.conditions().stream().map(Condition::toString).toList();
  }

  @Override
  public String toString() {
    return "seed %d with %d machines".formatted(seed, cluster.nodes.size());
  }
}
