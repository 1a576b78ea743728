package verwalter.supervisor.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

/** The promises of {@link Supervisor}, by number. */
public abstract class SupervisorContract {
  protected abstract Supervisor supervisor();

  /** The supervisor after a restart of the agent. */
  protected abstract Supervisor reopened();

  protected abstract Loop loop();

  protected abstract ProcessSpec entry(int instances);

  protected abstract ProcessSpec otherEntry(int instances);

  protected abstract ProcessSpec badEntry();

  protected abstract void until(BooleanSupplier condition);

  private <V> V done(Future<V> future) {
    until(future::isComplete);
    if (future.failed()) {
      throw (RuntimeException) future.cause();
    }
    return future.result();
  }

  private List<Slot> slots(Supervisor supervisor) {
    return supervisor.processes("shop").orElse(List.of());
  }

  private Map<String, Long> pids(Supervisor supervisor) {
    var pids = new ConcurrentHashMap<String, Long>();
    for (var slot : slots(supervisor)) {
      slot.pid().ifPresent(pid -> pids.put(slot.name(), pid));
    }
    return pids;
  }

  private void awaitRunning(Supervisor supervisor, int count) {
    until(
        () ->
            slots(supervisor).size() == count
                && slots(supervisor).stream().allMatch(it -> it.state() == State.RUNNING));
  }

  @Test
  void promise1CheckChangesNothingAndReturnsWhatRunWouldRefuse() {
    var supervisor = supervisor();
    assertThat(supervisor.check("shop", Map.of("web", entry(1)))).isEmpty();
    assertThat(supervisor.check("shop", Map.of("web", badEntry()))).isNotEmpty();
    assertThat(supervisor.groups()).isEmpty();
  }

  @Test
  void promise2AProcessThatRunsAsDesiredIsNotTouched() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2), "api", entry(1))));
    awaitRunning(supervisor, 3);
    var before = pids(supervisor);
    done(supervisor.run("shop", Map.of("web", entry(2), "api", otherEntry(1))));
    until(
        () -> {
          var now = pids(supervisor);
          return now.size() == 3
              && !now.getOrDefault("shop/api.0", 0L).equals(before.get("shop/api.0"));
        });
    assertThat(pids(supervisor))
        .containsEntry("shop/web.0", before.get("shop/web.0"))
        .containsEntry("shop/web.1", before.get("shop/web.1"));
    assertThat(slots(supervisor)).extracting(Slot::restarts).containsOnly(0L);
    assertThat(slots(supervisor))
        .filteredOn(slot -> slot.replacements() == 1)
        .extracting(Slot::name)
        .containsExactly("shop/api.0");
  }

  private static Map<String, ProcessSpec> restarted(ProcessSpec spec, long counter) {
    return Map.of("web", spec.withRestartCounter(Optional.of(counter)));
  }

  private static ProcessSpec stoppedBefore(List<String> others) {
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON,
        2,
        new ProcessSpec.Command(
            List.of("/bin/sleep", "300"),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            ProcessSpec.Limits.NONE,
            List.of(),
            Optional.of(new ProcessSpec.Stop("SIGTERM", 5, Optional.empty(), others)),
            Optional.empty()));
  }

  @Test
  void promise9ProcessesAreStoppedInTheirOrder() {
    var supervisor = supervisor();
    done(
        supervisor.run(
            "shop", Map.of("db", stoppedBefore(List.of()), "web", stoppedBefore(List.of("db")))));
    awaitRunning(supervisor, 4);
    var ends = new ArrayList<String>();
    var watch =
        supervisor.watch(
            loop(),
            name -> {
              var left = slots(supervisor).stream().map(Slot::name).toList();
              for (var slot : List.of("db.0", "db.1", "web.0", "web.1")) {
                if (!left.contains("shop/" + slot) && !ends.contains(slot)) {
                  ends.add(slot);
                }
              }
            });
    var next = supervisor.run("shop", Map.of("other", entry(1)));
    done(next);
    until(() -> ends.size() == 4);
    watch.close();
    assertThat(ends.subList(0, 2)).containsExactlyInAnyOrder("web.0", "web.1");
  }

  private static ProcessSpec limited(long memory) {
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON,
        1,
        new ProcessSpec.Command(
            List.of("/bin/sleep", "300"),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            new ProcessSpec.Limits(
                Optional.of(memory),
                Optional.empty(),
                Optional.of(512),
                Optional.of(500L),
                Optional.of(20L)),
            List.of(),
            Optional.of(new ProcessSpec.Stop("SIGINT", 5)),
            Optional.of("027")));
  }

  @Test
  void promise2OtherLimitsOfACommandReplaceItsProcess() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("job", limited(100_000_000))));
    awaitRunning(supervisor, 1);
    var before = pids(supervisor);
    done(supervisor.run("shop", Map.of("job", limited(100_000_000))));
    assertThat(pids(supervisor)).isEqualTo(before);

    done(supervisor.run("shop", Map.of("job", limited(200_000_000))));

    until(
        () ->
            slots(supervisor).stream()
                .allMatch(slot -> slot.state() == State.RUNNING && slot.replacements() == 1));
    assertThat(pids(supervisor)).isNotEqualTo(before);
    assertThat(slots(supervisor)).extracting(Slot::restarts).containsOnly(0L);
  }

  @Test
  void promise2ALargerRestartCounterReplacesEachProcessOnce() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2))));
    awaitRunning(supervisor, 2);
    var before = pids(supervisor);

    done(supervisor.run("shop", restarted(entry(2), 3)));
    until(
        () ->
            slots(supervisor).stream()
                .allMatch(
                    slot ->
                        slot.state() == State.RUNNING
                            && slot.restartCounter().equals(Optional.of(3L))));
    var after = pids(supervisor);
    assertThat(after.values()).doesNotContainAnyElementsOf(before.values());

    done(supervisor.run("shop", restarted(entry(2), 3)));
    done(supervisor.run("shop", restarted(entry(2), 2)));
    done(supervisor.run("shop", Map.of("web", entry(2))));
    var next = reopened();
    until(() -> slots(next).size() == 2);
    awaitRunning(next, 2);
    assertThat(pids(next)).isEqualTo(after);
    assertThat(slots(next)).extracting(Slot::replacements).containsOnly(1L);
    assertThat(slots(next)).extracting(Slot::restartCounter).containsOnly(Optional.of(3L));
  }

  @Test
  void promise3ARefusedRunChangesNothing() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(1))));
    awaitRunning(supervisor, 1);
    var before = pids(supervisor);
    var refused = supervisor.run("shop", Map.of("web", badEntry(), "api", entry(1)));
    assertThatThrownBy(() -> done(refused)).isInstanceOf(Supervisor.Refused.class);
    assertThat(pids(supervisor)).isEqualTo(before);
  }

  @Test
  void promise4RemoveEndsEverythingAndForgetsTheGroup() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2))));
    awaitRunning(supervisor, 2);
    done(supervisor.remove("shop"));
    assertThat(slots(supervisor)).isEmpty();
    assertThat(supervisor.groups()).isEmpty();
    done(supervisor.remove("shop"));
  }

  @Test
  void promise8RestartEndsThatRunOfTheProcessAndCountsAsAFailure() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2))));
    awaitRunning(supervisor, 2);
    var before = slots(supervisor);

    assertThat(done(supervisor.restart("shop", before.get(0), "its probe failed"))).isTrue();
    until(
        () ->
            slots(supervisor).stream()
                    .allMatch(slot -> slot.state() == State.RUNNING && slot.pid().isPresent())
                && slots(supervisor).get(0).restarts() == 1);
    var after = slots(supervisor);
    assertThat(after.get(0).isSameRun(before.get(0))).isFalse();
    assertThat(after.get(0).lastExit().orElseThrow().failure()).isTrue();
    assertThat(after.get(0).lastExit().orElseThrow().message().orElse(""))
        .endsWith("its probe failed");
    assertThat(after.get(0).replacements()).isZero();
    assertThat(after.get(1).isSameRun(before.get(1))).isTrue();

    assertThat(done(supervisor.restart("shop", before.get(0), "late"))).isFalse();
    assertThat(slots(supervisor).get(0).isSameRun(after.get(0))).isTrue();
  }

  @Test
  void promise5ProcessesNamesEveryDesiredSlot() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2), "none", entry(0))));
    assertThat(slots(supervisor))
        .extracting(Slot::name)
        .containsExactly("shop/web.0", "shop/web.1");
    assertThat(supervisor.processes("unheard-of")).contains(List.of());
    done(supervisor.run("shop", Map.of()));
    until(() -> slots(supervisor).isEmpty());
    assertThat(supervisor.groups()).containsExactly("shop");
    done(supervisor.run("shop", Map.of("web", entry(1))));
    awaitRunning(supervisor, 1);
    assertThat(slots(supervisor))
        .allSatisfy(
            slot -> {
              assertThat(slot.restarts()).isZero();
              assertThat(slot.replacements()).isZero();
              assertThat(slot.lastExit()).isEmpty();
            });
  }

  @Test
  void promise6AWatcherHearsOfEveryChangeUntilClosed() {
    var supervisor = supervisor();
    var reported = new ConcurrentHashMap<String, List<Slot>>();
    var watch = supervisor.watch(loop(), name -> reported.put(name, slots(supervisor)));
    done(supervisor.run("shop", Map.of("web", entry(1))));
    until(
        () ->
            reported.getOrDefault("shop", List.of()).stream()
                .anyMatch(slot -> slot.state() == State.RUNNING));
    watch.close();
    watch.close();
    reported.clear();
    done(supervisor.run("shop", Map.of()));
    until(() -> slots(supervisor).isEmpty());
    assertThat(reported).isEmpty();
  }

  @Test
  void promise7ClosingLeavesProcessesToTheNextSupervisor() {
    var supervisor = supervisor();
    done(supervisor.run("shop", Map.of("web", entry(2))));
    awaitRunning(supervisor, 2);
    var before = pids(supervisor);
    var next = reopened();
    until(() -> slots(next).size() == 2);
    awaitRunning(next, 2);
    assertThat(pids(next)).isEqualTo(before);
    assertThat(next.groups()).containsExactly("shop");
  }
}
