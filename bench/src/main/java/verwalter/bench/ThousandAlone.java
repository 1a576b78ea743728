package verwalter.bench;

import static java.util.Objects.requireNonNull;

import io.vertx.core.buffer.Buffer;
import java.io.File;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import verwalter.agent.SimulatedLeader;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.RoleInstance;
import verwalter.model.json.Json;

/**
 * The leader of a cluster of a thousand nodes: what it costs if nothing changes, if a role changes
 * on one node and on all, if a node is lost, and if it begins to lead.
 *
 * <p>This process is the leader only. The followers are in another one, with which it exchanges the
 * messages of the real protocols. Time is virtual; processor time is that of the thread of the
 * simulation and of the garbage collector. Prints one line of JSON.
 */
final class ThousandAlone {
  /** The virtual time after which both processes exchange their messages, in milliseconds. */
  static final int SPAN = 10;

  /** The same while little happens. */
  private static final int LONG_SPAN = 100;

  /** The number of nodes with a server of the log, among which the observers are divided. */
  private static final int SERVERS = 5;

  private static final Duration LONG = Duration.ofMinutes(20);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SETTLING = Duration.ofSeconds(20);
  private static final int WARMUP = 2;
  private static final int RUNS = 3;

  private final int nodes;
  private final int roles;
  private final Process process;
  private final Wire wire;
  private final VirtualWorld world = new VirtualWorld(1);
  private final SimulatedLeader leader;
  private final Map<Integer, WireLink> mirrors = new HashMap<>();
  private final Map<Integer, WireLink> feeds = new HashMap<>();
  private final Map<String, Long> more = new HashMap<>();
  private final Map<String, Long> release = new HashMap<>();
  private @Nullable CountedLog log;
  private @Nullable WrittenObjects written;
  private int span = SPAN;
  private long nanos;
  private int next;

  private ThousandAlone(int nodes, int roles, Path directory) throws IOException {
    this.nodes = nodes;
    this.roles = roles;
    this.next = nodes / 2;
    int observers = (nodes - SERVERS + SERVERS - 1) / SERVERS;
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx6g",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                "verwalter.bench.ThousandFollowers",
                Integer.toString(nodes),
                Integer.toString(observers),
                directory.resolve("followers").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    wire = new Wire(process.getInputStream(), process.getOutputStream());
    leader =
        SimulatedLeader.start(
            world,
            new SimulatedLeader.Setup(
                Files.createDirectories(directory.resolve("leader")),
                SimulatedMachine.of(0),
                loop -> log = new CountedLog(loop),
                store -> written = new WrittenObjects(store),
                new EvenScheduler(SimulatedMachine.name(1)),
                () -> EvenScheduler.runtime(roles, more, release),
                new NoFiles()));
  }

  /** Arguments: nodes, roles, an empty directory. */
  public static void main(String[] args) throws IOException {
    var thousand =
        new ThousandAlone(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Path.of(args[2]));
    try {
      thousand.build();
      System.out.println(Json.canonical(thousand.measure()));
    } finally {
      thousand.process.destroy();
      thousand.leader.close();
    }
  }

  private void build() throws IOException {
    leader.join(IntStream.range(0, nodes).mapToObj(SimulatedMachine::of).toList(), SERVERS);
    leader.elect();
    var began = System.nanoTime();
    runUntil(() -> running() == (long) nodes * roles);
    every(LONG_SPAN);
    runFor(MINUTE.multipliedBy(5));
    System.err.printf(
        Locale.ROOT,
        "built in %.1f s, processor time %.1f s%n",
        (System.nanoTime() - began) / 1e9,
        nanos / 1e9);
  }

  private long running() {
    return leader.everything().list(RoleInstance.KIND).stream()
        .filter(
            each ->
                each.status().filter(it -> it.state() == RoleInstance.State.RUNNING).isPresent())
        .count();
  }

  private void runFor(Duration time) throws IOException {
    for (long rest = time.toMillis() / span; rest > 0; rest--) {
      span();
    }
  }

  private void runUntil(BooleanSupplier goal) throws IOException {
    long most = LONG.toMillis() / span;
    for (long spans = 0; spans % 100 != 0 || !goal.getAsBoolean(); spans++) {
      if (spans > most) {
        throw new IllegalStateException("the goal is not reached: %d run".formatted(running()));
      }
      span();
    }
  }

  private void span() throws IOException {
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    world.runFor(Duration.ofMillis(span));
    nanos += threads.getCurrentThreadCpuTime() - before;
    wire.flush();
    for (var frame : wire.receive()) {
      handle(frame);
    }
  }

  private void handle(Wire.Frame frame) {
    int channel = frame.channel();
    switch (frame.type()) {
      case OPEN_MIRROR -> openMirror(channel, frame.bytes().getInt(0));
      case MIRROR -> arrived(mirrors.get(channel), frame.bytes());
      case CLOSE_MIRROR -> ended(mirrors.remove(channel));
      case OPEN_FEED -> openFeed(channel, frame.bytes().getInt(0));
      case FEED -> arrived(feeds.get(channel), frame.bytes());
      case CLOSE_FEED -> ended(feeds.remove(channel));
      case WRITES -> {
        var node = SimulatedMachine.name(frame.bytes().getInt(0));
        var request = frame.bytes().getBuffer(Integer.BYTES, frame.bytes().length());
        leader.write(node, request, answer -> wire.send(Wire.Type.WRITES, channel, answer));
      }
      default -> throw new IllegalStateException(frame.toString());
    }
  }

  private static void arrived(@Nullable WireLink link, Buffer message) {
    if (link != null) { // this end has not closed it
      link.arrived(message);
    }
  }

  private static void ended(@Nullable WireLink link) {
    if (link != null) {
      link.ended();
    }
  }

  private void openMirror(int channel, int number) {
    var link =
        new WireLink(wire, Wire.Type.MIRROR, Wire.Type.CLOSE_MIRROR, channel, leader.mirrorLoop());
    leader.mirror(
        new MirrorPeer(SimulatedMachine.name(number), SimulatedMachine.id(number)),
        link,
        receiver -> {
          mirrors.put(channel, link);
          link.use(receiver);
          wire.send(Wire.Type.OPEN_MIRROR, channel, Buffer.buffer());
        },
        () -> wire.send(Wire.Type.CLOSE_MIRROR, channel, Buffer.buffer()));
  }

  private void openFeed(int channel, int number) {
    var link = new WireLink(wire, Wire.Type.FEED, Wire.Type.CLOSE_FEED, channel, leader.feedLoop());
    feeds.put(channel, link);
    leader.follow(
        SimulatedMachine.name(SERVERS + number),
        link,
        receiver -> {
          link.use(receiver);
          wire.send(Wire.Type.OPEN_FEED, channel, Buffer.buffer());
        });
  }

  /** Lets both processes exchange their messages after another time, from the next span on. */
  private void every(int millis) throws IOException {
    order("span", millis);
    span();
    span = millis;
  }

  private void order(String what, int number) {
    wire.send(Wire.Type.ORDER, 0, Buffer.buffer(what + " " + number));
  }

  /** A change that is measured. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private Map<String, Object> measure() throws IOException {
    var result = new LinkedHashMap<String, Object>();
    result.put("nodes", (long) nodes);
    result.put("roles", (long) roles);
    result.put("memory", memory());
    result.put("nothing", cost("nothing", 1, RUNS, () -> {}, MINUTE));
    every(SPAN);
    var turn = new long[1];
    result.put(
        "one",
        cost(
            "one",
            WARMUP,
            RUNS,
            () -> {
              more.put("role-0", ++turn[0] % 2);
              leader.configurationChanged();
            },
            SETTLING));
    result.put(
        "all",
        cost(
            "all",
            1,
            RUNS,
            () -> {
              release.put("role-" + (roles - 1), ++turn[0]);
              leader.configurationChanged();
            },
            SETTLING));
    every(LONG_SPAN);
    result.put("lost", lost());
    every(SPAN);
    result.put("lead", lead());
    result.put("after", memory());
    System.err.println(result.get("after"));
    return result;
  }

  /** A node is killed, and returns after each measurement. */
  private Map<String, Object> lost() throws IOException {
    var runs = new Figures[RUNS];
    for (int i = -1; i < RUNS; i++) {
      int number = next++;
      var before = figures();
      order("kill", number);
      runFor(MINUTE.multipliedBy(2));
      if (i >= 0) {
        runs[i] = figures().minus(before);
      }
      order("start", number);
      runFor(MINUTE.multipliedBy(3));
    }
    return mean("lost", runs);
  }

  /** The term ends, and this node leads again without any mirror. */
  private Map<String, Object> lead() throws IOException {
    var runs = new Figures[RUNS];
    long time = 0;
    for (int i = -1; i < RUNS; i++) {
      leader.resign();
      runFor(SETTLING);
      var before = figures();
      var began = world.now();
      long decisions = leader.decisions();
      leader.elect();
      while (leader.decisions() == decisions) {
        span();
      }
      if (i >= 0) {
        runs[i] = figures().minus(before);
        time += Duration.between(began, world.now()).toMillis();
      }
      runFor(SETTLING);
    }
    var mean = mean("lead", runs);
    mean.put("virtual_ms", time / RUNS);
    System.err.println("virtual_ms " + time / RUNS);
    return mean;
  }

  private Map<String, Object> cost(String name, int warmup, int count, Change change, Duration time)
      throws IOException {
    for (int i = 0; i < warmup; i++) {
      change.make();
      runFor(time);
    }
    var runs = new Figures[count];
    for (int i = 0; i < count; i++) {
      var before = figures();
      change.make();
      runFor(time);
      runs[i] = figures().minus(before);
    }
    return mean(name, runs);
  }

  private static Map<String, Object> mean(String name, Figures[] runs) {
    var sum = runs[0];
    for (int i = 1; i < runs.length; i++) {
      sum = sum.plus(runs[i]);
    }
    var mean = sum.dividedBy(runs.length);
    System.err.println(name + ": " + mean);
    return mean;
  }

  private Figures figures() {
    var now = new LinkedHashMap<String, Double>();
    now.put("cpu_ms", nanos / 1e6);
    now.put(
        "gc_ms",
        (double)
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum());
    put(now, "mirror_up", wire.received(Wire.Type.MIRROR));
    put(now, "mirror_down", wire.sent(Wire.Type.MIRROR));
    put(now, "feed_up", wire.received(Wire.Type.FEED));
    put(now, "feed_down", wire.sent(Wire.Type.FEED));
    put(now, "writes_up", wire.received(Wire.Type.WRITES));
    put(now, "writes_down", wire.sent(Wire.Type.WRITES));
    var appended = requireNonNull(log);
    now.put("log_entries", (double) appended.entries());
    now.put("log_bytes", (double) appended.bytes());
    now.put("written", (double) requireNonNull(written).count());
    now.put("decisions", (double) leader.decisions());
    return new Figures(now);
  }

  private static void put(Map<String, Double> all, String name, Wire.Traffic traffic) {
    all.put(name, (double) traffic.bytes());
    all.put(name + "_messages", (double) traffic.messages());
  }

  /** Counters at one time, or their differences. */
  private record Figures(Map<String, Double> values) {
    Figures minus(Figures other) {
      return new Figures(combined(other, -1));
    }

    Figures plus(Figures other) {
      return new Figures(combined(other, 1));
    }

    private Map<String, Double> combined(Figures other, int factor) {
      var combined = new LinkedHashMap<String, Double>();
      values.forEach(
          (name, value) ->
              combined.put(name, value + factor * requireNonNull(other.values.get(name))));
      return combined;
    }

    Map<String, Object> dividedBy(int number) {
      var mean = new LinkedHashMap<String, Object>();
      values.forEach((name, value) -> mean.put(name, Math.round(value * 10 / number) / 10.0));
      return mean;
    }
  }

  /** The heap after a collection, and the memory of this process, in bytes. */
  private Map<String, Object> memory() throws IOException {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    var memory = new LinkedHashMap<String, Object>();
    memory.put("heap", heap.getUsed());
    memory.put("committed", heap.getCommitted());
    memory.put("pss", pss());
    System.err.println(memory);
    return memory;
  }

  private static long pss() throws IOException {
    for (var line : Files.readAllLines(new File("/proc/self/smaps_rollup").toPath())) {
      if (line.startsWith("Pss:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return 0;
  }
}
