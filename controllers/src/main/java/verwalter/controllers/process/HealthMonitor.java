package verwalter.controllers.process;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import verwalter.concurrent.Loop;
import verwalter.model.Condition.Truth;
import verwalter.model.ProcessGroup.Readiness;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Purpose;

/**
 * Probes the processes of all groups of a node. Belongs to the loop.
 *
 * <p>A process keeps its last readiness while it is probed again after a start of the agent, and a
 * process that cannot be probed is never restarted.
 */
final class HealthMonitor {
  private final Loop loop;
  private final Prober prober;
  private final Map<String, Map<String, ProbedProcess>> groups = new HashMap<>();

  HealthMonitor(Loop loop, Prober prober) {
    this.loop = loop;
    this.prober = prober;
  }

  /**
   * Probes the processes of a group that run, and no others.
   *
   * @param group its name
   * @param slots its slots, as the supervisor reports them
   * @param reported the slots in its last status
   * @param events takes what the probes find
   * @return the slots with their readiness
   */
  List<Slot> look(
      String group,
      Map<String, ProcessSpec> processes,
      List<Slot> slots,
      List<Slot> reported,
      ProbedProcess.Events events) {
    var probed = groups.computeIfAbsent(group, its -> new HashMap<>());
    var before =
        reported.stream().collect(Collectors.toMap(Slot::name, Function.identity(), (a, b) -> a));
    var seen = new HashSet<String>();
    var result =
        slots.stream()
            .map(
                slot -> {
                  var command = command(processes, slot);
                  if (command.isEmpty() || command.get().probes().isEmpty()) {
                    return slot;
                  }
                  if (slot.state() != State.RUNNING || slot.pid().isEmpty()) {
                    return slot.withReadiness(
                        notRunning(
                            slot, command.get(), Optional.ofNullable(before.get(slot.name()))));
                  }
                  seen.add(slot.name());
                  var its = probed.get(slot.name());
                  if (its == null || !its.isOf(slot, command.get())) {
                    if (its != null) {
                      its.end();
                    }
                    its =
                        new ProbedProcess(
                            loop,
                            prober,
                            slot,
                            command.get(),
                            Optional.ofNullable(before.get(slot.name()))
                                .filter(last -> last.isSameRun(slot))
                                .flatMap(Slot::readiness),
                            events);
                    probed.put(slot.name(), its);
                  }
                  return slot.withReadiness(its.readiness());
                })
            .toList();
    probed
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !seen.contains(entry.getKey());
              if (gone) {
                entry.getValue().end();
              }
              return gone;
            });
    return result;
  }

  private Optional<Readiness> notRunning(
      Slot slot, ProcessSpec.Command command, Optional<Slot> before) {
    if (command.probes().stream().noneMatch(it -> it.purpose() == Purpose.READINESS)) {
      return Optional.empty();
    }
    var since =
        before
            .flatMap(Slot::readiness)
            .filter(last -> last.ready() == Truth.FALSE)
            .map(Readiness::since)
            .orElse(loop.now());
    var reason = slot.state() == State.STOPPING ? "it is being stopped" : "it does not run";
    return Optional.of(new Readiness(Truth.FALSE, reason, since));
  }

  /** The command of a slot, whose name is {@code group/process.index}. */
  private static Optional<ProcessSpec.Command> command(
      Map<String, ProcessSpec> processes, Slot slot) {
    var name = slot.name().substring(slot.name().indexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return Optional.ofNullable(processes.get(dot < 0 ? name : name.substring(0, dot)))
        .flatMap(ProcessSpec::command);
  }

  /** Ends the probes of a group. */
  void forget(String group) {
    Optional.ofNullable(groups.remove(group))
        .ifPresent(its -> its.values().forEach(ProbedProcess::end));
  }

  /** Ends all probes. */
  void close() {
    List.copyOf(groups.keySet()).forEach(this::forget);
  }
}
