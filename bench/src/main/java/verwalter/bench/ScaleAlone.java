package verwalter.bench;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import verwalter.agent.NodeAgent;
import verwalter.cluster.Leadership;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.testkit.Heartbeats;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Scheduler;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

/**
 * The cost of a change in a cluster of many nodes, in one process and one thread: a leader, two
 * more agents, and the objects of all other nodes, which are copies of those that a real agent
 * made.
 *
 * <p>Prints one line of JSON. The scheduler is a function in Java, so that the figures are those of
 * the controllers and the store. Time is virtual; processor time is that of the one thread.
 */
final class ScaleAlone {
  private static final String LEADER = "node-0";
  private static final String OTHER = "node-1";
  private static final int AGENTS = 3;
  private static final Duration SETTLING = Duration.ofSeconds(20);
  private static final int WARMUP = 5;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int RUNS = 5;

  private final int nodes;
  private final int roles;
  private final Path directory;
  private final VirtualWorld world = new VirtualWorld(1);
  private final Heartbeats heartbeats = new Heartbeats(world);
  private final LocalStore real;
  private final CountedStore store;
  private final Map<String, Long> more = new HashMap<>();
  private final Map<String, FakeSupervisor> supervisors = new HashMap<>();
  private long deciding;
  private final List<Runnable> configurationChanged = new ArrayList<>();

  private ScaleAlone(int nodes, int roles, Path directory) throws IOException {
    this.nodes = nodes;
    this.roles = roles;
    this.directory = directory;
    var options = Options.DEFAULT.withBytes(2L << 30).withLogBytes(2L << 30);
    real = LocalStore.open(directory, options, Runnable::run, world.clock(), world.uids());
    store = new CountedStore(real);
  }

  /** Arguments: nodes, roles, an empty directory. */
  public static void main(String[] args) throws IOException {
    var scale =
        new ScaleAlone(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Path.of(args[2]));
    scale.build();
    System.out.println(Json.canonical(scale.measure()));
    System.exit(0);
  }

  private void build() throws IOException {
    for (int i = AGENTS; i < nodes; i++) {
      world.await(store.put(Resource.of(Node.KIND, "node-" + i, new Node.Spec(false))));
    }
    for (int i = 0; i < AGENTS; i++) {
      start("node-" + i);
    }
    world.runUntil(() -> running(OTHER) == roles, Duration.ofMinutes(10));
    for (int i = AGENTS; i < nodes; i++) {
      copy("node-" + i);
    }
    beat();
    world.runFor(Duration.ofMinutes(5));
  }

  private long running(String node) {
    return store.list(RoleInstance.KIND, new Selection.Node(node)).stream()
        .filter(
            each ->
                each.status().filter(it -> it.state() == RoleInstance.State.RUNNING).isPresent())
        .count();
  }

  /** Renews the leases of the nodes without an agent. */
  private void beat() {
    for (int i = AGENTS; i < nodes; i++) {
      heartbeats.renew(machine("node-" + i));
    }
    world.loop("heart").after(Duration.ofSeconds(10), this::beat);
  }

  private static String machine(String node) {
    return UUID.nameUUIDFromBytes(node.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  private void start(String name) throws IOException {
    var supervisor =
        new FakeSupervisor(new FakeMachine(), world.loop("supervisor"), new java.util.Random(1));
    supervisors.put(name, supervisor);
    NodeAgent.start(
        new NodeAgent.Parts(
            store,
            new NodeAgent.Cluster(
                store,
                name.equals(LEADER)
                    ? new SingleLeadership(machine(name), store.epoch())
                    : new Following(),
                heartbeats.leases(machine(name))),
            new NodeAgent.Execution(world::loop, () -> 0.5),
            new NodeAgent.Configuration(this::read, this::watch),
            new NodeAgent.Scheduling(
                () -> this::decide,
                decision -> {},
                questions -> Map.of(),
                UnaryOperator.identity()),
            new NodeAgent.Rendering(
                Responder.OF_SHARE,
                new NoFiles(),
                FileWatch.NONE,
                "0",
                () -> Future.succeededFuture("deployment"),
                Optional.empty()),
            supervisor,
            new NodeReconciler.Machine(
                name,
                List.of(),
                Map.of(Node.MACHINE_ID, machine(name)),
                new Node.Capacity(2, 1L << 30))));
  }

  private Watch watch(Loop loop, Consumer<ConfigChange> listener) {
    configurationChanged.add(
        () -> loop.execute(() -> listener.accept(new ConfigChange(Set.of("runtime"), false))));
    return () -> {};
  }

  private RuntimeReading read() {
    var runtime = new LinkedHashMap<String, Object>();
    for (int i = 0; i < roles; i++) {
      runtime.put(
          "role-" + i,
          Map.of("v1", Map.of("count", 1L, "more", more.getOrDefault("role-" + i, 0L))));
    }
    return new RuntimeReading(runtime, Map.of());
  }

  /** Runs the scheduler, and counts its processor time. */
  private Scheduler.Decision decide(Map<String, Object> input) {
    long before = THREADS.getCurrentThreadCpuTime();
    try {
      return decision(input);
    } finally {
      deciding += THREADS.getCurrentThreadCpuTime() - before;
    }
  }

  /**
   * Places every role on every node; on one of them more instances if the role's metadata ask for
   * it.
   */
  private static Scheduler.Decision decision(Map<String, Object> input) {
    var all = new TreeMap<String, Object>();
    var runtime = Json.object(input.get("runtime"));
    for (var node : Json.object(input.get("nodes")).keySet()) {
      var mine = new TreeMap<String, Object>();
      runtime.forEach(
          (role, versions) -> {
            var version = Json.object(Json.object(versions).get("v1"));
            long count = number(version, "count");
            if (node.equals(OTHER)) {
              count += number(version, "more");
            }
            mine.put(
                role,
                Map.of("template", "app/v1", "version", "v1", "count", count, "mode", "primary"));
          });
      all.put(node, Map.of("roles", mine));
    }
    return new Scheduler.Decision(Map.of("nodes", all), "", 1, true, List.of(), Map.of());
  }

  /** Writes for a node what the agent of {@link #OTHER} has written for its own. */
  private void copy(String node) {
    var instances = new ArrayList<Write>();
    var from = store.list(RoleInstance.KIND, new Selection.Node(OTHER));
    for (var each : from) {
      var it = each.spec();
      instances.add(
          new Write.Put(
              moved(
                  each,
                  node,
                  new RoleInstance.Spec(
                      it.role(), node, it.template(), it.version(), it.variables()))));
    }
    var made = world.await(store.commit(instances));
    var children = new ArrayList<Write>();
    for (var instance : made) {
      var role = Objects.requireNonNull(instance.meta().labels().get("role"));
      var output = store.get(TemplateOutput.KIND, RoleInstance.name(role, OTHER)).orElseThrow();
      var group = store.get(ProcessGroup.KIND, ProcessGroup.name(role, OTHER)).orElseThrow();
      var o = output.spec();
      var g = group.spec();
      children.add(
          new Write.Put(
              owned(
                  moved(
                      output,
                      node,
                      new TemplateOutput.Spec(o.role(), node, o.template(), o.variables())),
                  instance)));
      children.add(
          new Write.Put(
              owned(
                  moved(
                      group,
                      node,
                      new ProcessGroup.Spec(g.role(), node, g.sandbox(), g.processes())),
                  instance)));
    }
    world.await(store.commit(children));
    var model = store.get(NodeSchedule.KIND, OTHER).flatMap(Resource::status).orElseThrow();
    var share = store.get(NodeSchedule.KIND, node).orElseThrow();
    world.await(store.putStatus(share.withStatus(model)));
    var ready = store.get(Node.KIND, OTHER).flatMap(Resource::status).orElseThrow();
    var facts = new TreeMap<>(ready.facts());
    facts.put(Node.MACHINE_ID, machine(node));
    world.await(
        store.putStatus(
            store
                .get(Node.KIND, node)
                .orElseThrow()
                .withStatus(
                    new Node.Status(
                        ready.observedGeneration(),
                        ready.addresses(),
                        facts,
                        ready.capacity(),
                        ready.schedule(),
                        ready.roles(),
                        ready.conditions()))));
  }

  /**
   * A copy for another node that shares nothing with {@code it}, as if it were parsed from a
   * message.
   */
  private static <S, T> Resource<S, T> moved(Resource<S, T> it, String node, S spec) {
    var name = it.name().substring(0, it.name().indexOf('@') + 1) + node;
    var labels = new TreeMap<>(it.meta().labels());
    labels.put("node", node);
    var fresh = Resource.of(it.type(), name, spec);
    var meta = fresh.meta().withLabels(labels).withFinalizers(it.meta().finalizers());
    try {
      return Resource.of(it.type(), name, Codec.spec(it.type(), Codec.specJson(fresh)))
          .withMeta(meta)
          .withStatus(
              Codec.status(it.type(), Codec.statusJson(it.type(), it.status().orElseThrow())));
    } catch (IOException impossible) { // it was written just before
      throw new UncheckedIOException(impossible);
    }
  }

  private static <S, T> Resource<S, T> owned(Resource<S, T> it, Resource<?, ?> owner) {
    return it.withMeta(it.meta().ownedBy(OwnerReference.to(owner)));
  }

  private Map<String, Object> measure() throws IOException {
    var result = new LinkedHashMap<String, Object>();
    result.put("nodes", (long) nodes);
    var idle = cost("nothing", () -> {});
    result.put("nothing", idle);
    var count = new int[1];
    result.put(
        "role",
        cost(
            "role",
            () -> {
              more.put("role-7", (long) ++count[0] % 2);
              configurationChanged.get(0).run();
            }));
    result.put(
        "process",
        cost(
            "process",
            () -> {
              if (!Objects.requireNonNull(supervisors.get(OTHER))
                  .kill("role-3/worker.0", killed())) {
                throw new IllegalStateException("there is no such process");
              }
            }));
    result.put("list", micros(() -> real.list(RoleInstance.KIND, new Selection.Node("node-5"))));
    result.put("watch", micros(this::watchOnce));
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    var runtime = Runtime.getRuntime();
    result.put("heap", runtime.totalMemory() - runtime.freeMemory());
    return result;
  }

  /** The mean over some runs of a change, and the counts of the store in the last of them. */
  private Map<String, Object> cost(String name, Runnable change) throws IOException {
    for (int i = 0; i < WARMUP; i++) {
      change.run();
      world.runFor(SETTLING);
    }
    long bytes = bytes();
    deciding = 0;
    long nanos = THREADS.getCurrentThreadCpuTime();
    long written = 0;
    long touched = 0;
    for (int i = 0; i < RUNS; i++) {
      store.reset();
      change.run();
      world.runFor(SETTLING);
      written += store.sum("written");
      touched += store.sum("");
    }
    var cost = new LinkedHashMap<String, Object>();
    cost.put("bytes", (bytes() - bytes) / RUNS);
    cost.put("cpu_ms", (THREADS.getCurrentThreadCpuTime() - nanos) / 1e6 / RUNS);
    cost.put("scheduler_ms", deciding / 1e6 / RUNS);
    cost.put("written", written / RUNS);
    cost.put("touched", touched / RUNS);
    cost.put("counts", store.counts());
    System.err.printf(Locale.ROOT, "%s: %s%n", name, cost);
    return cost;
  }

  private ProcessGroup.Exit killed() {
    return new ProcessGroup.Exit(Optional.empty(), Optional.of(9), world.now(), true);
  }

  private void watchOnce() {
    var changes = new int[1];
    var watch =
        real.watch(
            RoleInstance.KIND,
            new Selection.Node("node-5"),
            java.util.OptionalLong.empty(),
            world.loop("watch"),
            change -> changes[0]++);
    world.runUntil(() -> changes[0] > roles, Duration.ofSeconds(1));
    watch.close();
  }

  private static double micros(Runnable task) {
    for (int i = 0; i < 200; i++) {
      task.run();
    }
    long before = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      task.run();
    }
    return (System.nanoTime() - before) / 1e3 / 100;
  }

  private long bytes() throws IOException {
    long sum = 0;
    try (var files = Files.list(directory)) {
      for (var file : files.toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** Leadership as seen by a node that never leads. */
  private static final class Following implements Leadership {
    @Override
    public Optional<verwalter.cluster.Term> term() {
      return Optional.empty();
    }

    @Override
    public Watch watch(Loop loop, Listener listener) {
      return () -> {};
    }

    @Override
    public Candidacy stand(Loop loop, Candidate candidate) {
      return Future::succeededFuture;
    }
  }

  private static long number(Map<String, Object> map, String name) {
    return Long.parseLong(String.valueOf(map.get(name)));
  }
}
