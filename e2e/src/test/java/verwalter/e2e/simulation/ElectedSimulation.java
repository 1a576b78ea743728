package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Scope;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.cluster.PeerSnapshot;

/** One run of agents that elect their leader, with random faults. */
final class ElectedSimulation {
  private static final List<String> ROLES = List.of("api", "queue", "web");
  private static final List<String> VERSIONS = List.of("v1", "v2", "v3");
  private static final List<Object> POLICIES =
      List.of("freeze", "schedule", "run_local", Map.of("stop_after", "10s"));

  private static final List<Kind<?, ?>> OF_ROLES =
      List.of(RoleInstance.KIND, TemplateOutput.KIND, ProcessGroup.KIND);

  private final long seed;
  private final Random random;
  private final ElectedCluster cluster;
  private final Clients clients;
  private int kills;

  ElectedSimulation(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    int size = size();
    this.cluster = new ElectedCluster(seed, size, voting(size));
    this.clients = new Clients(cluster);
  }

  /** Mostly 3 to 7, now and then up to 100. */
  private int size() {
    return random.nextInt(1000) == 0 ? 8 + random.nextInt(93) : 3 + random.nextInt(5);
  }

  private int voting(int size) {
    return size < 5 || random.nextInt(3) == 0 ? 3 : size < 7 || random.nextBoolean() ? 5 : 7;
  }

  /** Runs it, and checks it. Returns a hash of everything that happened. */
  long run() throws IOException {
    for (var role : ROLES) {
      cluster.roles.put(role, new Wanted("v1", 1 + random.nextInt(2)));
      if (random.nextInt(3) > 0) {
        cluster.policies.put(role, POLICIES.get(random.nextInt(POLICIES.size())));
      }
    }
    cluster.begin();
    if (random.nextBoolean()) {
      cluster.runFor(Duration.ofSeconds(20));
    }
    int steps = cluster.nodes.size() > 7 ? 6 : 8 + random.nextInt(20);
    for (int step = 0; step < steps; step++) {
      inject();
      for (int writes = random.nextInt(3); writes > 0; writes--) {
        write();
      }
      if (random.nextInt(3) == 0) {
        step(random.nextInt(200));
      } else {
        cluster.runFor(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 20_000 : 3_000)));
      }
    }
    heal();
    converge();
    clients.check();
    return cluster.world.trace();
  }

  private void step(int count) {
    for (int left = count; left > 0; left--) {
      cluster.world.step();
    }
  }

  /** The number of acknowledged writes. */
  int acknowledged() {
    return clients.acknowledged();
  }

  /** How often an agent was killed. */
  int kills() {
    return kills;
  }

  private SimulatedNode any() {
    return cluster.nodes.get(random.nextInt(cluster.nodes.size()));
  }

  /** Injects one random fault, or changes something. */
  private void inject() throws IOException {
    var role = ROLES.get(random.nextInt(ROLES.size()));
    var node = any();
    switch (random.nextInt(22)) {
      case 0, 1 -> {
        var version = VERSIONS.get(random.nextInt(VERSIONS.size()));
        cluster.roles.put(role, new Wanted(version, random.nextInt(4)));
        cluster.touch("runtime");
      }
      case 2 -> {
        cluster.roles.remove(role);
        cluster.touch("runtime");
      }
      case 3 -> {
        cluster.schedulerBroken = !cluster.schedulerBroken;
        cluster.touch("scheduler");
      }
      case 4 -> {
        if (!node.files.broken.remove(role)) {
          node.files.broken.add(role);
        }
        node.touch("templates");
      }
      case 5 -> {
        if (node.hasAgent()) {
          node.killProcess();
        }
      }
      case 6, 7 -> {
        if (node.hasAgent()) {
          kill(node);
        } else {
          cluster.start(node);
        }
      }
      case 8 -> cluster.leader().ifPresent(this::kill);
      case 9 -> cluster.startAgents();
      case 10 -> cluster.of(node).failDisk(random.nextInt(40));
      case 11 -> lose(node);
      case 12 -> cluster.links.cut(node.machineId, any().machineId);
      case 13, 14 -> {
        writeOften();
        cluster.links.split(side(), cluster.machines());
      }
      case 15, 16 -> meet();
      case 17 -> cluster.quorum.elect();
      case 18 -> node.setClock(Duration.ofSeconds(random.nextInt(7200) - 3600));
      case 19 -> {
        cluster.links.slowest = 1 + random.nextInt(random.nextBoolean() ? 50 : 1000);
        cluster.links.lost = random.nextInt(3) * 0.1;
      }
      case 20 -> cluster.slowestDisk = random.nextInt(400);
      default -> cluster.wires.breakOne(random);
    }
  }

  private void write() {
    if (random.nextBoolean()) {
      clients.act(any());
    } else {
      clients.label(any(), any());
    }
  }

  /** Writes a few times, and leaves not all of it time to be carried out. */
  private void writeOften() {
    for (int left = random.nextInt(6); left > 0; left--) {
      write();
      step(random.nextInt(60));
    }
  }

  /** Ends all cuts while clients write. The disk of a node that merges may fail. */
  private void meet() {
    if (random.nextInt(3) == 0) {
      cluster.leaders().stream()
          .filter(node -> cluster.of(node).isFork())
          .forEach(node -> cluster.of(node).failForks(random.nextInt(8)));
    }
    cluster.links.heal();
    writeOften();
  }

  private void kill(SimulatedNode node) {
    kills++;
    cluster.killAgent(node);
  }

  private void lose(SimulatedNode node) {
    if (node.hasAgent()) {
      switch (random.nextInt(3)) {
        case 0 -> node.lose(TemplateOutput.KIND);
        case 1 -> node.lose(ProcessGroup.KIND);
        default -> node.lose(RoleInstance.KIND);
      }
    }
  }

  /** A side without a majority. */
  private Set<String> side() {
    var all = new ArrayList<>(new TreeSet<>(cluster.machines()));
    int most = Math.max(1, (all.size() - 1) / 2);
    var side = new TreeSet<String>();
    for (int left = 1 + random.nextInt(most); left > 0; left--) {
      side.add(all.remove(random.nextInt(all.size())));
    }
    return side;
  }

  private void heal() throws IOException {
    cluster.heal();
    cluster.startAgents();
    cluster.runFor(Duration.ZERO);
    List.of("runtime", "scheduler", "templates").forEach(cluster::touch);
  }

  private void converge() {
    for (int tries = 0; tries < 60; tries++) {
      cluster.runFor(Duration.ofSeconds(5));
      if (isSettled()) {
        break;
      }
    }
    ElectedClusterTest.assertSettled(cluster);
    cluster.runFor(Duration.ofMinutes(1));
    assertOne();
    ElectedClusterTest.assertSettled(cluster);
    var before = writes();
    cluster.runFor(Duration.ofMinutes(1));
    assertThat(writes()).as("writes without a change").isEqualTo(before);
  }

  private boolean isSettled() {
    try {
      ElectedClusterTest.assertSettled(cluster);
      return cluster.leaders().size() == 1;
    } catch (AssertionError | java.util.NoSuchElementException notYet) {
      return false;
    }
  }

  /** There is one leader, and all nodes have the same objects. */
  private void assertOne() {
    assertThat(cluster.leaders()).as("%s", cluster.states()).hasSize(1);
    var terms = new HashSet<Object>();
    cluster.nodes.forEach(node -> terms.add(cluster.of(node).term()));
    assertThat(terms).as("terms of %s", cluster.states()).hasSize(1);
    var objects = PeerSnapshot.of(cluster.log.snapshot()).blocks();
    for (var node : cluster.nodes) {
      var parts = cluster.of(node);
      assertThat(parts.isFork()).as("%s", cluster.states()).isFalse();
      assertThat(parts.store.problem()).isEmpty();
      assertThat(parts.store.snapshot().index()).as(node.name).isEqualTo(cluster.log.last());
      assertThat(PeerSnapshot.of(parts.store.snapshot()).blocks())
          .as("objects of %s", node.name)
          .isEqualTo(objects);
    }
    assertThat(Kinds.ALL)
        .filteredOn(kind -> kind.scope() == Scope.NODE && !cluster.truth().list(kind).isEmpty())
        .as("kinds of nodes in the log")
        .isEmpty();
    assertMirrors(cluster.of(cluster.leader().orElseThrow()).everything);
  }

  /** The leader sees all objects of each node, and what each node reports. */
  private void assertMirrors(ObjectStore leader) {
    for (var node : cluster.nodes) {
      for (var kind : OF_ROLES) {
        assertThat(stated(leader, kind, node))
            .as("the mirror of %s", node.name)
            .isEqualTo(stated(node.memory, kind, node));
      }
      var share = leader.get(NodeSchedule.KIND, node.name).orElseThrow();
      assertThat(leader.get(Node.KIND, node.name).flatMap(Resource::status))
          .as("the Node of %s", node.name)
          .hasValueSatisfying(
              status -> assertThat(status.schedule()).contains(share.spec().schedule()));
    }
  }

  private static <S, T> List<Object> stated(
      ObjectStore store, Kind<S, T> kind, SimulatedNode node) {
    return store.list(kind, new Selection.Node(node.name)).stream()
        .<Object>map(each -> List.of(each.key(), each.spec(), each.status()))
        .toList();
  }

  private List<Object> writes() {
    var writes = new ArrayList<Object>();
    writes.add(cluster.truth().revision());
    for (var node : cluster.nodes) {
      writes.add(node.memory.revision());
      writes.add(node.machine.history().size());
    }
    return writes;
  }

  @Override
  public String toString() {
    return "seed %d with %d agents".formatted(seed, cluster.nodes.size());
  }
}
