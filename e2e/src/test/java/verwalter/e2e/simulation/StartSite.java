package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.StartGrant;
import verwalter.model.StartPolicy;
import verwalter.stores.testkit.Faults;

/** A machine without a cluster, whose roles wait for their start. */
final class StartSite {
  static final long GB = 1_000_000_000;
  static final Duration SOON = Duration.ofSeconds(10);

  final LoneMachine machine;
  final SimulatedNode node;

  StartSite(long seed, Faults faults) {
    machine = new LoneMachine(seed, faults);
    node = machine.node();
  }

  /** A version that needs so many gigabytes. */
  static Wanted needing(int gigabytes) {
    return new Wanted("v1", 1).with("start", Map.of("memory", gigabytes + "GB"));
  }

  void schedule(String role, Wanted wanted) {
    machine.roles.put(role, wanted);
    machine.touch("runtime");
    machine.runFor(SOON);
  }

  void count(String role, int processes) {
    schedule(role, wanted(role).times(processes));
  }

  Wanted wanted(String role) {
    return Optional.ofNullable(machine.roles.get(role)).orElseThrow();
  }

  /** The node may reserve three gigabytes, and never reserves more. */
  void startWithThreeGigabytes() throws IOException {
    node.reservable = OptionalLong.of(3 * GB);
    machine.world.always(() -> assertThat(reserved()).isLessThanOrEqualTo(3 * GB));
    node.startAgent();
    machine.runFor(SOON);
  }

  long reserved() {
    return machine.truth().list(RoleInstance.KIND).stream().mapToLong(StartSite::reserved).sum();
  }

  static long reserved(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::start)
        .map(StartGrant::reserved)
        .orElse(0L);
  }

  RoleInstance.Status status(String role) {
    return machine
        .truth()
        .get(RoleInstance.KIND, name(role))
        .flatMap(Resource::status)
        .orElseThrow();
  }

  static String name(String role) {
    return RoleInstance.name(role, LoneMachine.NAME);
  }

  State state(String role) {
    return status(role).state();
  }

  Condition admitted(String role) {
    return Condition.find(status(role).conditions(), ConditionType.ADMITTED).orElseThrow();
  }

  /** The reason for which a role waits. */
  String waits(String role) {
    assertThat(state(role)).isEqualTo(State.WAITING);
    assertThat(running()).noneMatch(slot -> slot.startsWith(role + "/"));
    assertThat(admitted(role).isFalse()).isTrue();
    return admitted(role).reason();
  }

  List<String> running() {
    return node.runningProcesses().keySet().stream().sorted().toList();
  }

  static String slot(String role) {
    return role + "/worker.0";
  }

  long starts(String role) {
    return node.machine.history().stream()
        .filter(it -> it.startsWith("start " + slot(role) + " "))
        .count();
  }

  void restartAgent() throws IOException {
    machine.killAgent(node);
    machine.runFor(Duration.ofSeconds(1));
    node.startAgent();
    machine.runFor(SOON);
  }

  /** The machine is started again. Its agent starts, and no time passes. */
  void reboot() throws IOException {
    machine.killAgent(node);
    node.machine.reboot(machine.world.now());
    machine.runFor(Duration.ofSeconds(1));
    node.startAgent();
  }

  void runsA() throws IOException {
    machine.roles.put("a", new Wanted("v1", 1));
    node.startAgent();
    machine.runFor(SOON);
    assertThat(running()).containsExactly(slot("a"));
  }

  /** The roles that wait, the oldest first. */
  List<String> waiting() {
    return machine.roles.keySet().stream()
        .filter(role -> isClosed(role))
        .sorted(Comparator.comparing(role -> admitted(role).since()))
        .toList();
  }

  private boolean isClosed(String role) {
    return Condition.find(status(role).conditions(), ConditionType.ADMITTED)
        .filter(Condition::isFalse)
        .isPresent();
  }

  /** Bytes that a role needs and does not have. */
  long missing(String role) {
    var instance = machine.truth().get(RoleInstance.KIND, name(role)).orElseThrow();
    return instance.spec().start().flatMap(StartPolicy::memory).orElse(0L) - reserved(instance);
  }
}
