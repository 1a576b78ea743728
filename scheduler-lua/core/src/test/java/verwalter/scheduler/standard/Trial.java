package verwalter.scheduler.standard;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.Program;
import verwalter.scheduler.lua.vm.VmEngine;
import verwalter.scheduler.standard.SimulatedProcess.Wanted;

/** A random history of a cluster with services, which the standard scheduler runs. */
final class Trial {
  private static final long START = 1_700_000_000_000L;
  private static final long[] STEPS = {100, 500, 1_000, 2_000, 5_000, 5_000};

  private static final long TICK = 500;

  /**
   * So many equal decisions, 8 s apart, mean that nothing will change: longer than a deadline. A
   * step of an update is a change, also if it changes no process, as on the way back over steps
   * that had replaced none.
   */
  private static final int SAME = 10;

  final TreeMap<String, SimulatedNode> nodes = new TreeMap<>();
  final TreeMap<String, SimulatedService> services = new TreeMap<>();
  private final Random random;
  private final Scheduler scheduler;
  private final Promises promises = new Promises(this);
  private final List<String> history = new ArrayList<>();
  private final Map<String, Object> actions = new TreeMap<>();
  private Map<String, Object> schedule = Map.of();
  private long now = START;
  private int joined;

  Trial(long seed, Scheduler scheduler) throws Exception {
    this.random = new Random(seed);
    random.nextInt();
    this.scheduler = scheduler;
    int count = 2 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      join();
    }
    services.put("shop", new SimulatedService("shop", random, 9_000));
    if (random.nextInt(3) == 0) {
      services.put("blog", new SimulatedService("blog", random, 9_000));
    }
    services.values().forEach(it -> note(it.name + " v1:\n" + it.text()));
  }

  /** The standard scheduler, as an agent without a scheduler of its own loads it. */
  static LuaScheduler standard() throws Scheduler.Failed {
    return LuaScheduler.load(
        Code.standard(Path.of("scheduler")), Budget.DEFAULT, new VmEngine(), Program.THREADS);
  }

  /** Runs events at random, then none until nothing changes any more. */
  void run(int events) throws Exception {
    step();
    for (int i = 0; i < events; i++) {
      if (random.nextInt(4) == 0) {
        happen();
      }
      pass(STEPS[random.nextInt(STEPS.length)]);
      step();
    }
    calm();
    settle();
    promises.settled(schedule);
    var before = schedule;
    note("a node joins");
    join();
    settle();
    promises.joined(before, schedule, "n" + joined);
  }

  private void join() {
    joined++;
    var name = "n" + joined;
    nodes.put(name, new SimulatedNode(name, joined % 2 == 0 ? "b" : "a", 4));
  }

  private SimulatedNode any() {
    return List.copyOf(nodes.values()).get(random.nextInt(nodes.size()));
  }

  private void happen() throws Exception {
    var service = List.copyOf(services.values()).get(random.nextInt(services.size()));
    var node = any();
    switch (random.nextInt(14)) {
      case 0 -> {
        if (nodes.size() < 6) {
          join();
          note("n" + joined + " joins");
        }
      }
      case 1 -> {
        node.draining = !node.draining;
        note(node.name + " draining: " + node.draining);
      }
      case 2 -> {
        node.cordoned = !node.cordoned;
        note(node.name + " cordoned: " + node.cordoned);
      }
      case 3, 4 -> {
        if (node.silent()) {
          promises.back(node);
          node.rejoin();
          note(node.name + " is back");
        } else {
          boolean died = random.nextBoolean();
          promises.lost(node, died);
          node.cut(now, died);
          note(node.name + (died ? " dies" : " is silent"));
        }
      }
      case 5 -> {
        var all = new ArrayList<SimulatedProcess>();
        node.processes().forEach(all::add);
        if (!all.isEmpty() && !node.silent()) {
          var process = all.get(random.nextInt(all.size()));
          promises.crashed(process);
          process.crash(now);
          note(node.name + " " + process.wanted().entry() + " crashes");
        }
      }
      case 6 -> proceed(service);
      case 7 -> {
        node.labels.put("disk", "ssd".equals(node.labels.get("disk")) ? "tape" : "ssd");
        note(node.name + " disk: " + node.labels.get("disk"));
      }
      default -> {
        service.change(Behaviour.random(random), now);
        var behaviour = service.behaviour(service.newest());
        note(service.name + " " + service.newest() + " " + behaviour + ":\n" + service.text());
      }
    }
  }

  private void proceed(SimulatedService service) {
    var update = update(service.name);
    if ("test_mode".equals(update.get("step")) && "forward".equals(update.get("direction"))) {
      press(service, "proceed");
    }
  }

  private void press(SimulatedService service, String action) {
    actions.put("1", Map.of("button", Map.of("role", service.name, "action", action)));
    note(action + " " + service.name);
  }

  /** All nodes return. */
  private void calm() {
    nodes.values().forEach(promises::back);
    nodes.values().stream().filter(SimulatedNode::silent).forEach(SimulatedNode::rejoin);
    note("calm");
  }

  private void settle() throws Exception {
    int same = 0;
    for (int i = 0; same < SAME; i++) {
      if (i > 400) {
        throw new AssertionError("it does not settle");
      }
      for (var service : services.values()) {
        var update = update(service.name);
        if ("pause".equals(update.get("direction"))) {
          press(service, "revert");
        } else {
          proceed(service);
        }
      }
      pass(8_000);
      var before = schedule;
      step();
      same = isSame(before) && actions.isEmpty() ? same + 1 : 0;
    }
  }

  private boolean isSame(Map<String, Object> before) {
    return Objects.equals(before.get("nodes"), schedule.get("nodes"))
        && services.keySet().stream()
            .allMatch(
                role ->
                    Objects.equals(
                        state(before, role).get("update"), state(schedule, role).get("update")));
  }

  private void pass(long time) {
    long end = now + time;
    while (now < end) {
      now = Math.min(end, now + TICK);
      nodes.values().forEach(node -> node.pass(now));
    }
  }

  private void step() throws Exception {
    var input = input();
    var before = schedule;
    schedule = scheduler.decide(input).data();
    actions.clear();
    logChanges();
    promises.check(before, schedule);
    for (var node : nodes.values()) {
      node.busy = random.nextInt(8) == 0;
      node.apply(wanted(schedule, node.name), now);
    }
  }

  private void logChanges() {
    var changes = (List<?>) schedule.getOrDefault("changes", List.of());
    if (!changes.isEmpty()) {
      note(changes.toString());
    }
  }

  void note(String text) {
    history.add("%8.1f %s".formatted((now - START) / 1000.0, text));
  }

  long now() {
    return now;
  }

  Map<String, Object> update(String role) {
    return Json.object(state(schedule, role).get("update"));
  }

  /** When a schedule has started or replaced a process; null if it wants none in its place. */
  @Nullable Object replacedSince(SimulatedNode node, SimulatedProcess process) {
    var its = process.wanted();
    var hosts = Json.object(state(schedule, its.role()).get("hosts"));
    return Json.object(Json.object(hosts.get(node.name)).get(its.entry())).get("since");
  }

  static Map<String, Object> state(Map<String, Object> schedule, String role) {
    return Json.object(Json.object(schedule.get("state")).get(role));
  }

  /** What a schedule wants in each slot of a node. */
  Map<String, Wanted> wanted(Map<String, Object> schedule, String node) {
    var wanted = new TreeMap<String, Wanted>();
    var roles = Json.object(Json.object(Json.object(schedule.get("nodes")).get(node)).get("roles"));
    roles.forEach(
        (role, variables) ->
            Json.object(Json.object(variables).get("daemons"))
                .forEach(
                    (entry, value) -> {
                      var its = Json.object(value);
                      var version = String.valueOf(its.get("version"));
                      var daemon = String.valueOf(its.get("daemon"));
                      var service = services.get(role);
                      if (service == null) {
                        throw new AssertionError("there is no service " + role);
                      }
                      var process = service.file(version).processes().get(daemon);
                      for (long i = 0; i < ((Number) its.get("instances")).longValue(); i++) {
                        wanted.put(
                            role + "/" + entry + "." + i,
                            new Wanted(
                                role,
                                entry,
                                daemon,
                                version,
                                process == null ? "" : process.command().toString(),
                                Json.object(its.get("variables")),
                                process != null && process.health().isPresent(),
                                service.behaviour(version)));
                      }
                    }));
    return wanted;
  }

  private Map<String, Object> input() {
    var input = new LinkedHashMap<String, Object>();
    var machines = new TreeMap<String, Object>();
    var instances = new TreeMap<String, Object>();
    nodes.forEach(
        (name, node) -> {
          machines.put(name, node.machine(now, services.keySet()));
          instances.put(name, node.report(now));
        });
    var runtime = new TreeMap<String, Object>();
    services.forEach((name, service) -> runtime.put(name, service.runtime()));
    input.put("now", now);
    input.put("current_host", "n1");
    input.put("current_id", "id-n1");
    input.put("parents", schedule.isEmpty() ? List.of() : List.of(schedule));
    input.put("actions", actions);
    input.put("runtime", runtime);
    input.put("peers", Map.of());
    input.put("metrics", Map.of());
    input.put("nodes", machines);
    input.put("instances", instances);
    return Json.freeze(input);
  }

  /** What happened, for a failure. */
  String history() {
    return String.join("\n", history);
  }
}
