package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import verwalter.model.Condition;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Writer;
import verwalter.model.json.Json;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.testkit.Faults;

/** A machine without a cluster that runs the role {@code web}. */
final class WebMachine {
  static final String ROLE = "web";
  static final String INSTANCE = RoleInstance.name(ROLE, LoneMachine.NAME);

  final LoneMachine machine;
  final SimulatedNode node;

  private WebMachine(LoneMachine machine) {
    this.machine = machine;
    this.node = machine.node();
  }

  /** A machine that runs the role among others. */
  static WebMachine of(LoneMachine machine) {
    return new WebMachine(machine);
  }

  /** Starts an agent, and waits until it runs this number of processes. */
  static WebMachine running(long seed, int processes) throws IOException {
    var web = new WebMachine(new LoneMachine(seed, Faults.NONE));
    web.machine.roles.put(ROLE, new Wanted("v1", processes));
    web.node.startAgent();
    web.minute();
    assertThat(web.node.machine.processes()).hasSize(processes);
    return web;
  }

  /** Starts an agent, and waits until it runs a process of the archive of version v1. */
  static WebMachine released(long seed) throws IOException {
    var web = new WebMachine(new LoneMachine(seed, Faults.NONE));
    web.node.releases = Optional.of(new SimulatedReleases());
    web.machine.roles.put(ROLE, version("v1"));
    web.node.startAgent();
    web.minute();
    assertThat(web.node.machine.processes()).hasSize(1);
    return web;
  }

  private static Wanted version(String version) {
    return new Wanted(version, 1, Optional.of(source(version)));
  }

  /** Where the archive of a version comes from. */
  static String source(String version) {
    return "http://files/" + version + ".tar.gz";
  }

  /** Schedules another version. */
  void update(String version) {
    machine.roles.put(ROLE, version(version));
    machine.touch("runtime");
  }

  /** Schedules another version with this policy of updates. */
  void update(String version, Map<String, Object> policy) {
    update(version, 1, policy);
  }

  /** Schedules a version with so many processes and this policy of updates. */
  void update(String version, int count, Map<String, Object> policy) {
    machine.roles.put(
        ROLE, new Wanted(version, count, Optional.of(source(version)), Map.of("update", policy)));
    machine.touch("runtime");
  }

  /** What the scheduler sees of the instance. */
  Map<String, Object> seen() {
    return Json.object(
        Json.object(Json.object(machine.lastInput.get("instances")).get(node.name)).get(ROLE));
  }

  SimulatedReleases disk() {
    return node.releases.orElseThrow();
  }

  /** The version of each running process, by the release in its image. */
  Map<String, String> versions() {
    var versions = new TreeMap<String, String>();
    node.machine
        .processes()
        .forEach((slot, process) -> versions.put(slot, version(process.image(), "@")));
    return versions;
  }

  private static String version(String image, String separator) {
    return image.contains(separator) ? image.split(separator, -1)[1] : image;
  }

  /** The images of all processes. */
  List<String> runningImages() {
    return node.machine.processes().values().stream().map(it -> it.image()).toList();
  }

  /** The states that the instance has, one after the other, during this time. */
  List<RoleInstance.State> states(Duration time) {
    var end = machine.world.now().plus(time);
    var states = new ArrayList<RoleInstance.State>();
    while (machine.world.now().isBefore(end)) {
      var now =
          machine
              .truth()
              .get(RoleInstance.KIND, INSTANCE)
              .flatMap(Resource::status)
              .map(RoleInstance.Status::state);
      if (now.isPresent()
          && (states.isEmpty() || !states.get(states.size() - 1).equals(now.get()))) {
        states.add(now.get());
      }
      machine.world.step();
    }
    return states;
  }

  void minute() {
    machine.runFor(Duration.ofMinutes(1));
  }

  /** Changes the number of processes. */
  void scale(int processes) {
    machine.roles.put(ROLE, new Wanted("v1", processes));
    machine.touch("runtime");
  }

  /** Takes the role out of the schedule. */
  void removeRole() {
    machine.roles.remove(ROLE);
    machine.touch("runtime");
  }

  void restartAgent() throws IOException {
    machine.killAgent(node);
    machine.runFor(Duration.ofSeconds(5));
    node.startAgent();
  }

  /** The machine is started anew, and then its agent. */
  void reboot() throws IOException {
    machine.killAgent(node);
    node.machine.reboot(machine.world.now());
    node.startAgent();
  }

  Resource<RoleInstance.Spec, RoleInstance.Status> instance() {
    return machine.truth().get(RoleInstance.KIND, INSTANCE).orElseThrow();
  }

  RoleInstance.Status status() {
    return instance().status().orElseThrow();
  }

  /** The reason of each condition of the instance, by the type of the condition. */
  Map<String, String> conditions() {
    return status().conditions().stream()
        .collect(Collectors.toMap(Condition::type, Condition::reason));
  }

  boolean has(Kind<?, ?> kind) {
    return !machine.truth().list(kind).isEmpty();
  }

  /** Requests a purge as the API does. */
  void purge(long counter) {
    var operator = Author.ofLeader(Writer.OPERATOR, machine.truth().epoch());
    var present = instance();
    machine.world.await(
        AuthoredStore.of(machine.truth(), operator)
            .put(present.withSpec(present.spec().withPurgeCounter(Optional.of(counter)))));
  }

  /** The purge counter changes although the API would refuse it, as when a backup is restored. */
  void forcePurge(long counter) {
    var present = instance();
    machine.world.await(
        machine
            .truth()
            .put(present.withSpec(present.spec().withPurgeCounter(Optional.of(counter)))));
  }

  /** Requests a restart as the API does. */
  void request(long counter) {
    var operator = Author.ofLeader(Writer.OPERATOR, machine.truth().epoch());
    put(counter, AuthoredStore.of(machine.truth(), operator)::put);
  }

  /** The counter changes although the API would refuse it, as when a backup is restored. */
  void force(long counter) {
    put(counter, machine.truth()::put);
  }

  private void put(
      long counter,
      Function<
              Resource<RoleInstance.Spec, RoleInstance.Status>,
              Future<Resource<RoleInstance.Spec, RoleInstance.Status>>>
          store) {
    node.shares.restart(ROLE, counter);
    var present = instance();
    machine.world.await(
        store.apply(present.withSpec(present.spec().withRestartCounter(Optional.of(counter)))));
  }

  /** The last restart that was carried out. */
  Optional<Long> restarted() {
    return instance().status().flatMap(RoleInstance.Status::restartCounter);
  }

  /** The number of starts of each process. */
  Map<String, Integer> starts() {
    var starts = new TreeMap<String, Integer>();
    for (var event : node.machine.history()) {
      var words = event.split(" ", -1);
      if (words[0].equals("start")) {
        starts.merge(words[1], 1, Integer::sum);
      }
    }
    return starts;
  }
}
