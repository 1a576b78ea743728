package verwalter.e2e.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.LogRetention;
import verwalter.stores.engine.EngineStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.local.Options;
import verwalter.stores.replicatedkit.AppliedLog;
import verwalter.stores.replicatedkit.ModelEnsemble;

/**
 * Machines that elect their leader. Each agent has the real stores, mirrors and sides; the log, the
 * network, the group of reached nodes and the disks are models.
 */
final class ElectedCluster extends SimulatedCluster {
  private static final int LINK = Integer.BYTES;

  /** The controllers of a leader. */
  private static final Set<String> LEADERS =
      Set.of(
          "config", "config-differences", "former-nodes", "lease", "role", "rollout", "schedule");

  final Links links;
  final Quorum quorum;
  final LeaseElection election;
  final Groups groups;
  final SideLines sideLines;
  final MirrorWires wires;
  final ObserverLines observerLines;
  final ModelEnsemble ensemble;
  final AppliedLog log;
  final ClusterOptions options;
  final Set<String> electors = new TreeSet<>();

  /** What each role does without a majority, if it is not the default. */
  final Map<String, Object> policies = new TreeMap<>();

  /** Machines with disks that will fail. */
  final Set<AgentParts> failing = new HashSet<>();

  private final EngineStore truth;
  private final Map<SimulatedNode, AgentParts> parts = new HashMap<>();

  /** The longest time that a task of a disk takes, in milliseconds. */
  int slowestDisk = 5;

  /**
   * Creates machines {@code n1}, {@code n2} and so on, whose agents have not started.
   *
   * @param voting the number of electors, which are the first ones; the others follow them
   */
  ElectedCluster(long seed, int size, int voting) {
    super(seed);
    links = new Links(world.random());
    ensemble = new ModelEnsemble(world, Duration.ofMillis(1 + world.random().nextInt(20)));
    log = new AppliedLog(world, ElectedCluster::withoutLink);
    truth = log.store();
    ensemble.observe(log::appended);
    options =
        new ClusterOptions(
            new Options(new HistoryLimit(500, 1 << 20), 200_000, 1 << 26),
            new LogRetention(200, 1 << 20, 1 << 24),
            Duration.ofSeconds(10));
    for (int number = 1; number <= voting; number++) {
      electors.add("id-n" + number);
    }
    quorum = new Quorum(world, ensemble, links, electors);
    election = new LeaseElection(world, quorum, links);
    groups = new Groups(world, links);
    sideLines = new SideLines(world, links);
    wires = new MirrorWires(world, links);
    observerLines = new ObserverLines(world, links);
    for (int number = 1; number <= size; number++) {
      var name = "n" + number;
      nodes.add(new SimulatedNode(this, name, "id-" + name, this::parts));
    }
    world.always(this::crashWithTheDisk);
  }

  /** The bytes of an entry, which begin with a link to the entry before. */
  private static ByteBuffer withoutLink(ByteBuffer entry) {
    return entry.slice(entry.position() + LINK, entry.remaining() - LINK);
  }

  private AgentParts parts(SimulatedNode node) {
    return parts.computeIfAbsent(node, its -> new AgentParts(this, its));
  }

  AgentParts of(SimulatedNode node) {
    return parts(node);
  }

  @Override
  ObjectStore truth() {
    return truth;
  }

  @Override
  boolean mayLeadAgain(String controller) {
    return LEADERS.contains(controller);
  }

  /** Kills agents whose disks have failed. */
  private void crashWithTheDisk() {
    if (failing.isEmpty()) {
      return;
    }
    for (var node : nodes) {
      if (node.hasAgent() && failing.contains(of(node)) && of(node).isDown()) {
        killAgent(node);
      }
    }
  }

  /** The agents that run. */
  List<SimulatedNode> running() {
    return nodes.stream().filter(SimulatedNode::hasAgent).toList();
  }

  /** The nodes that lead, in terms of the log or of a side. */
  List<SimulatedNode> leaders() {
    return running().stream().filter(node -> of(node).leads()).toList();
  }

  /** The node that leads in the newest term of the log. */
  Optional<SimulatedNode> leader() {
    return leaders().stream().filter(node -> !of(node).isFork()).findFirst();
  }

  Set<String> machines() {
    return nodes.stream().map(node -> node.machineId).collect(Collectors.toSet());
  }

  /**
   * Starts all agents for the first time. The first machine creates its Node; those of the others
   * are created as in joining.
   */
  void begin() throws IOException {
    for (var node : nodes) {
      if (of(node).votes()) {
        node.startAgent();
      }
    }
    world.runUntil(() -> leader().isPresent(), Duration.ofMinutes(1));
    for (var node : nodes.subList(1, nodes.size())) {
      world.await(of(nodes.get(0)).store.put(joined(node)));
      if (!of(node).votes()) {
        node.startAgent();
      }
    }
  }

  private static Resource<Node.Spec, Node.Status> joined(SimulatedNode node) {
    var status =
        new Node.Status(
            1,
            List.of(),
            Map.of(Node.MACHINE_ID, node.machineId),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    return Resource.of(Node.KIND, node.name, new Node.Spec(false)).withStatus(status);
  }

  /** Starts an agent, whose disk may fail. */
  void start(SimulatedNode node) throws IOException {
    try {
      node.startAgent();
    } catch (IOException failure) {
      if (!of(node).isDown()) {
        throw failure;
      }
      node.killAgent();
    }
  }

  @Override
  void startAgents() throws IOException {
    for (var node : nodes) {
      while (!node.hasAgent()) {
        start(node);
      }
    }
  }

  /** Ends all faults. */
  void heal() {
    links.lost = 0;
    links.slowest = 20;
    slowestDisk = 5;
    links.heal();
    failing.forEach(AgentParts::repair);
    failing.clear();
    nodes.forEach(node -> node.files.broken.clear());
    schedulerBroken = false;
  }

  @Override
  Map<String, Object> settings(String role) {
    return policies.containsKey(role) ? Map.of("minority_policy", policies.get(role)) : Map.of();
  }

  /** Descriptions of the nodes for messages. */
  List<String> states() {
    var states = new ArrayList<String>();
    nodes.forEach(node -> states.add(node.name + ": " + of(node)));
    return states;
  }
}
