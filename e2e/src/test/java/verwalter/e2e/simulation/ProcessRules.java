package verwalter.e2e.simulation;

import static verwalter.e2e.simulation.MachineView.key;
import static verwalter.e2e.simulation.MachineView.role;
import static verwalter.e2e.simulation.ReleaseRules.require;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.testkit.FakeMachine.FakeProcess;

/** The invariants of processes and of the process files that the supervisor acts on. */
final class ProcessRules {
  private final SimulatedNode node;
  private final ReleaseFacts facts;
  private final Set<Long> known = new HashSet<>();
  private int stopped;

  ProcessRules(SimulatedNode node, ReleaseFacts facts) {
    this.node = node;
    this.facts = facts;
  }

  void check(Optional<MachineView> before, MachineView now, List<String> broken) {
    for (var process : now.processes().values()) {
      var key = key(process.image());
      if (known.add(process.pid())) {
        key.ifPresent(it -> startsComplete(it, process, now, broken));
      }
      key.ifPresent(it -> usesAHeldRelease(it, process.slot(), now, broken));
      key.ifPresent(it -> hasItsFiles(it, process, now, broken));
    }
    now.wanted()
        .forEach(
            (sandbox, entries) ->
                entries.values().stream()
                    .filter(entry -> entry.daemons() > 0)
                    .flatMap(entry -> key(entry.program()).stream())
                    .forEach(it -> usesAHeldRelease(it, sandbox + "/", now, broken)));
    now.roles().forEach(role -> oneRelease(role, now, broken));
    stops(broken);
  }

  /** I2b: a process is started only with a complete release. */
  private void startsComplete(
      String key, FakeProcess process, MachineView now, List<String> broken) {
    require(
        now.releases().containsKey(key) || facts.hasVanished(key),
        broken,
        "I2b: %s starts without the release %s",
        process.slot(),
        key);
  }

  /**
   * I2 and I3: the release of a process that is up, or that the supervisor may start, is complete
   * and has a ref that is not being removed.
   */
  private void usesAHeldRelease(String key, String slot, MachineView now, List<String> broken) {
    require(
        now.releases().containsKey(key) || facts.hasVanished(key),
        broken,
        "I2: the release %s of %s is gone",
        key,
        slot);
    var ref = Optional.ofNullable(now.refs().get(key));
    require(
        ref.filter(it -> !it.meta().deleting()).isPresent() || facts.wasLost(role(slot)),
        broken,
        "I3: the release %s of %s has no ref",
        key,
        slot);
  }

  /** I5: the files in place are those of the processes that are up. */
  private void hasItsFiles(String key, FakeProcess process, MachineView now, List<String> broken) {
    var role = role(process.slot());
    if (facts.wasLost(role)) {
      return;
    }
    require(
        now.used(role).equals(Optional.of(key)),
        broken,
        "I5: %s is up with %s, and the template output has %s",
        process.slot(),
        key,
        now.used(role).orElse("none"));
    require(
        Optional.ofNullable(now.images().get(role)).equals(Optional.of(process.image())),
        broken,
        "I5: %s is up with %s, and the files are of %s",
        process.slot(),
        key,
        now.images().getOrDefault(role, "nothing"));
  }

  /** I11: processes and process files of a role never have two releases at once. */
  private void oneRelease(String role, MachineView now, List<String> broken) {
    var images = now.images(role);
    require(
        images.size() < 2
            || images.stream().noneMatch(it -> key(it).isPresent())
            || facts.wasLost(role),
        broken,
        "I11: %s has two releases at once: %s",
        role,
        images);
  }

  /**
   * I14 to I17: a process ends only because of what was asked for. The supervisor acts on the
   * process files of this moment.
   */
  void stops(List<String> broken) {
    var all = node.machine.terminated();
    for (; stopped < all.size(); stopped++) {
      var process = all.get(stopped);
      var why = reason(process);
      require(
          why.isEmpty(),
          broken,
          "I14: %s is stopped: %s",
          process.slot(),
          why.orElse("for nothing"));
    }
  }

  /** Why the process should not have been stopped; empty if it was asked for. */
  private Optional<String> reason(FakeProcess process) {
    var role = role(process.slot());
    if (facts.wasStopping(role, process.started()) || facts.wasLost(role, process.started())) {
      return Optional.empty();
    }
    var name = process.slot().substring(role.length() + 1, process.slot().lastIndexOf('.'));
    var entry = Optional.ofNullable(node.machine.files().getOrDefault(role, Map.of()).get(name));
    if (entry.isEmpty()) {
      // A removal that nobody but the instance should request takes its time.
      return facts.wasLost(role) ? Optional.empty() : Optional.of("nothing removes its group");
    }
    int index = Integer.parseInt(process.slot().substring(process.slot().lastIndexOf('.') + 1));
    if (entry.get().daemons() <= index) {
      return facts.asked(role, process.started()).anyMatch(it -> it.count() <= index)
          ? Optional.empty()
          : Optional.of("no share wants fewer processes");
    }
    return changed(role, process, entry.get());
  }

  private Optional<String> changed(String role, FakeProcess process, ProcessSpec entry) {
    long counter = entry.restartCounter().orElse(0L);
    if (counter > process.spec().restartCounter().orElse(0L)) {
      return counter <= facts.restarts(role)
          ? Optional.empty()
          : Optional.of("nobody has requested the restart %d".formatted(counter));
    }
    if (!entry.program().equals(process.image())) {
      boolean inPlace = key(process.image()).isEmpty() && key(entry.program()).isEmpty();
      return inPlace
          ? Optional.empty()
          : Optional.of("its release changes in place to " + entry.program());
    }
    var setting = entry.variables().getOrDefault("SETTING", "");
    boolean differs = !setting.equals(process.spec().variables().getOrDefault("SETTING", ""));
    return differs
            && facts.asked(role, process.started()).anyMatch(it -> setting(it).equals(setting))
        ? Optional.empty()
        : Optional.of("its entry has not changed: %s, %s".formatted(process.spec(), entry));
  }

  private static String setting(ReleaseFacts.Asked asked) {
    return asked
        .variables()
        .map(it -> it.getOrDefault("setting", ""))
        .map(String::valueOf)
        .orElse("");
  }
}
