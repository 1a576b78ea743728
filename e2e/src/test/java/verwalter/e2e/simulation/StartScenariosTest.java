package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.simulation.StartSite.GB;
import static verwalter.e2e.simulation.StartSite.SOON;
import static verwalter.e2e.simulation.StartSite.name;
import static verwalter.e2e.simulation.StartSite.needing;
import static verwalter.e2e.simulation.StartSite.slot;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance.State;
import verwalter.stores.testkit.Faults;

/**
 * The scenarios of starts that wait, by their numbers: for memory, for what ran before the machine
 * was started, and for the end of a delay.
 */
class StartScenariosTest {
  private final StartSite site = new StartSite(1, Faults.NONE);

  @Test
  void s32MissingMemory() throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("a", needing(2));
    assertThat(site.state("a")).isEqualTo(State.RUNNING);

    site.schedule("b", needing(2));

    assertThat(site.waits("b")).isEqualTo("MissingMemory");
    assertThat(site.status("b").reason())
        .isEqualTo(
            "1 GB of memory are missing: it needs 2 GB, of 3 GB for this node; a@alone has 2 GB");
    assertThat(site.node.files.files).doesNotContainKey(name("b"));
    site.restartAgent();
    assertThat(site.waits("b")).isEqualTo("MissingMemory");

    site.count("a", 0);
    assertThat(site.state("a")).isEqualTo(State.HALTED);
    assertThat(site.state("b")).isEqualTo(State.RUNNING);
    assertThat(site.admitted("b").isTrue()).isTrue();
  }

  @Test
  void s32TheOldestIsFirst() throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("a", needing(2));
    site.schedule("d", needing(2));
    site.schedule("c", needing(2));
    site.schedule("b", needing(1));

    assertThat(site.waits("b")).isEqualTo("MissingMemory");
    assertThat(site.status("b").reason()).contains("d@alone waits longer");
    site.restartAgent();
    site.machine.roles.remove("a");
    site.machine.touch("runtime");
    site.machine.runFor(SOON);

    assertThat(site.running()).containsExactly(slot("d"));
    assertThat(site.waits("c")).isEqualTo("MissingMemory");
    assertThat(site.waits("b")).isEqualTo("MissingMemory");
  }

  @Test
  void s32ARoleThatNeedsMoreThanThereIsBlocksNobody() throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("huge", needing(4));
    site.schedule("small", needing(1));

    assertThat(site.waits("huge")).isEqualTo("MissingMemory");
    assertThat(site.status("huge").reason())
        .isEqualTo("it needs 4 GB of memory, and this node may reserve 3 GB in all");
    assertThat(site.running()).containsExactly(slot("small"));
  }

  @Test
  void s32RestartAndPurgeKeepTheMemory() throws IOException {
    site.node.releases = Optional.of(new SimulatedReleases());
    site.startWithThreeGigabytes();
    site.schedule("web", released("v1", 2));
    site.schedule("b", needing(2));
    assertThat(site.waits("b")).isEqualTo("MissingMemory");
    var web = WebMachine.of(site.machine);

    web.request(1);
    web.minute();
    web.purge(1);
    web.minute();
    site.schedule("web", released("v2", 2));
    web.minute();

    assertThat(site.starts("web")).isEqualTo(4);
    assertThat(site.state("web")).isEqualTo(State.RUNNING);
    assertThat(site.waits("b")).isEqualTo("MissingMemory");
    assertThat(site.starts("b")).isZero();
  }

  private static Wanted released(String version, int gigabytes) {
    return new Wanted(version, 1, Optional.of(WebMachine.source(version)))
        .with("start", Map.of("memory", gigabytes + "GB"));
  }

  @Test
  void s32ANewVersionThatNeedsMoreWaitsWhileTheOldOneRuns() throws IOException {
    site.node.releases = Optional.of(new SimulatedReleases());
    site.startWithThreeGigabytes();
    site.schedule("web", released("v1", 1));
    site.schedule("plain", needing(1));
    site.schedule("b", needing(1));
    site.machine.runFor(SOON);

    site.schedule("web", released("v2", 2));
    site.schedule("plain", new Wanted("v2", 1).with("start", Map.of("memory", "2GB")));

    assertThat(site.running()).containsExactly(slot("b"), slot("plain"), slot("web"));
    assertThat(site.state("web")).isEqualTo(State.PREPARING);
    assertThat(site.state("plain")).isEqualTo(State.PREPARING);
    assertThat(site.status("plain").version()).contains("v1");
    assertThat(site.status("web").reason()).startsWith("v2: 1 GB of memory are missing");
    site.restartAgent();
    assertThat(site.starts("web") + site.starts("plain")).isEqualTo(2);

    site.count("b", 0);
    site.machine.runFor(SOON);
    assertThat(site.status("web").version()).contains("v2");
    assertThat(site.state("web")).isEqualTo(State.RUNNING);
    assertThat(site.state("plain")).isEqualTo(State.PREPARING);

    site.schedule("web", released("v3", 1));
    site.machine.runFor(SOON);
    assertThat(site.state("plain")).isEqualTo(State.RUNNING);
    assertThat(site.reserved()).isEqualTo(3 * GB);
  }

  @Test
  void s32WhatWaitedForMemoryDoesNotStartWithThatOfTheNextVersion() throws IOException {
    site.node.releases = Optional.of(new SimulatedReleases());
    site.startWithThreeGigabytes();
    site.schedule("web", needing(2).times(0));
    site.schedule("a", needing(2));
    site.count("web", 1);
    assertThat(site.waits("web")).isEqualTo("MissingMemory");

    site.node.files.broken.add("v2");
    site.schedule("web", released("v2", 1));
    site.machine.runFor(SOON);
    assertThat(site.starts("web")).isZero();
    assertThat(site.state("web")).isEqualTo(State.PREPARING);

    site.node.files.broken.clear();
    site.node.touch("templates");
    site.machine.runFor(SOON);
    assertThat(site.running()).containsExactly(slot("a"), slot("web"));
    assertThat(site.status("web").version()).contains("v2");
    assertThat(site.reserved()).isEqualTo(3 * GB);
  }

  @Test
  void s32WhatRunsKeepsRunningWithLessMemory() throws IOException {
    site.node.startAgent();
    site.schedule("a", new Wanted("v1", 1));
    site.schedule("b", needing(2));
    site.machine.killAgent(site.node);
    site.node.reservable = OptionalLong.of(GB);
    site.node.startAgent();

    site.schedule("a", needing(2));
    site.schedule("c", needing(1));

    assertThat(site.running()).containsExactly(slot("a"), slot("b"));
    assertThat(site.state("a")).isEqualTo(State.RUNNING);
    assertThat(site.waits("c")).isEqualTo("MissingMemory");
    assertThat(site.starts("a") + site.starts("b")).isEqualTo(2);
    assertThat(site.reserved()).isEqualTo(4 * GB);
  }

  @Test
  void s32AHaltedRoleGivesItsMemoryBackAndWaitsForIt() throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("a", needing(2));
    site.count("a", 0);
    assertThat(site.reserved()).isZero();
    site.schedule("b", needing(2));

    site.count("a", 3);

    assertThat(site.waits("a")).isEqualTo("MissingMemory");
    site.restartAgent();
    assertThat(site.waits("a")).isEqualTo("MissingMemory");
    site.count("b", 0);
    assertThat(site.running()).hasSize(3);
    assertThat(site.state("a")).isEqualTo(State.RUNNING);
  }

  @Test
  void s33BootPriority() throws IOException {
    site.runsA();
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.reboot();
    site.node.supervisor().delays(Duration.ofSeconds(100), Duration.ofMillis(500));
    site.machine.runFor(Duration.ofSeconds(5));

    assertThat(site.running()).isEmpty();
    assertThat(site.waits("b")).isEqualTo("PriorityHold");
    assertThat(site.status("b").reason())
        .isEqualTo("what ran before the machine was started is first: a@alone");
    site.restartAgent();
    site.machine.runFor(Duration.ofSeconds(110));

    assertThat(site.running()).containsExactly(slot("a"), slot("b"));
    var order = site.node.machine.history();
    assertThat(order.lastIndexOf("start a/worker.0 a-v1"))
        .isLessThan(order.indexOf("start b/worker.0 b-v1"));
  }

  @Test
  void s33ABrokenRoleHoldsNobody() throws IOException {
    site.runsA();
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.node.machine.refuse("a-v1", "no such image");
    site.reboot();
    site.machine.runFor(SOON);

    assertThat(site.state("a")).isEqualTo(State.BROKEN);
    assertThat(site.running()).containsExactly(slot("b"));
  }

  @Test
  void s33AHaltedOrRemovedRoleHoldsNobody() throws IOException {
    site.runsA();
    site.schedule("gone", new Wanted("v1", 1));
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.machine.roles.put("a", site.wanted("a").times(0));
    site.machine.roles.remove("gone");
    site.reboot();
    site.node.supervisor().delays(Duration.ofHours(10), Duration.ofMillis(500));
    site.machine.runFor(SOON);

    assertThat(site.state("b")).isEqualTo(State.BOOTING);
  }

  @Test
  void s33AHoldEndsAfterFiveMinutesAndNeverReturns() throws IOException {
    site.runsA();
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.reboot();
    site.node.supervisor().delays(Duration.ofHours(10), Duration.ofMillis(500));
    site.node.setClock(Duration.ofDays(-1));
    site.machine.runFor(Duration.ofSeconds(295));
    assertThat(site.waits("b")).isEqualTo("PriorityHold");
    site.node.setClock(Duration.ofDays(1));

    site.machine.runFor(SOON);

    assertThat(site.state("a")).isEqualTo(State.BOOTING);
    assertThat(site.state("b")).isEqualTo(State.BOOTING);
    site.restartAgent();
    site.schedule("c", new Wanted("v1", 1));
    assertThat(site.state("c")).isNotEqualTo(State.WAITING);
  }

  @Test
  void s33NothingIsHeldIfNothingRan() throws IOException {
    site.machine.roles.put("a", new Wanted("v1", 0));
    site.node.startAgent();
    site.machine.runFor(SOON);
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.reboot();
    site.machine.runFor(SOON);

    assertThat(site.running()).containsExactly(slot("b"));
    assertThat(site.status("b").conditions())
        .noneMatch(condition -> condition.is(ConditionType.ADMITTED));
  }

  @Test
  void s33NothingIsHeldAfterARestartOfTheAgent() throws IOException {
    site.runsA();
    site.machine.killAgent(site.node);
    site.machine.roles.put("b", new Wanted("v1", 1));
    site.node.startAgent();
    site.node.supervisor().kill(slot("a"), killed());
    site.node.supervisor().delays(Duration.ofHours(10), Duration.ofMillis(500));
    site.machine.runFor(SOON);

    assertThat(site.state("b")).isEqualTo(State.BOOTING);
  }

  @Test
  void s33ARoleThatWaitedForMemoryBeforeIsHeldToo() throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("a", needing(2));
    site.schedule("b", needing(2));
    site.schedule("c", needing(1));
    site.count("a", 0);
    assertThat(site.running()).containsExactly(slot("b"), slot("c"));
    site.schedule("d", needing(1));
    site.reboot();
    site.node.supervisor().delays(Duration.ofSeconds(100), Duration.ofMillis(500));
    site.count("c", 0);

    assertThat(site.waits("d")).isEqualTo("PriorityHold");
    site.machine.runFor(Duration.ofMinutes(3));

    assertThat(site.running()).containsExactly(slot("b"), slot("d"));
  }

  @Test
  void s34StartDelay() throws IOException {
    site.node.startAgent();
    site.schedule("a", delayed("v1"));

    assertThat(site.waits("a")).isEqualTo("StartDelayed");
    assertThat(site.node.files.files).containsKey(name("a"));
    site.machine.runFor(Duration.ofSeconds(45));
    assertThat(site.waits("a")).isEqualTo("StartDelayed");
    site.machine.runFor(SOON);
    assertThat(site.running()).containsExactly(slot("a"));

    site.count("a", 0);
    site.count("a", 1);
    site.reboot();
    site.machine.runFor(SOON);
    assertThat(site.running()).containsExactly(slot("a"));
  }

  private static Wanted delayed(String version) {
    return new Wanted(version, 1).with("start", Map.of("delay", "60s"));
  }

  @Test
  void s34AHaltedRoleStartsAtOnceAfterTheDelay() throws IOException {
    site.node.startAgent();
    site.schedule("a", delayed("v1"));
    site.machine.runFor(Duration.ofSeconds(20));

    site.count("a", 0);
    assertThat(site.state("a")).isEqualTo(State.HALTED);
    site.count("a", 1);
    assertThat(site.waits("a")).isEqualTo("StartDelayed");
    site.count("a", 0);
    site.machine.runFor(SOON);
    assertThat(site.state("a")).isEqualTo(State.HALTED);
    site.count("a", 1);

    assertThat(site.running()).containsExactly(slot("a"));
  }

  @Test
  void s34ADelayEndsWhateverTheClockShows() throws IOException {
    site.node.startAgent();
    site.schedule("a", delayed("v1"));
    site.node.setClock(Duration.ofDays(-1));
    site.machine.runFor(Duration.ofSeconds(20));
    site.node.setClock(Duration.ofDays(1));
    site.machine.runFor(Duration.ofSeconds(20));
    assertThat(site.waits("a")).isEqualTo("StartDelayed");

    site.node.setClock(Duration.ofDays(-1));
    site.machine.runFor(Duration.ofSeconds(12));

    assertThat(site.running()).containsExactly(slot("a"));
  }

  @Test
  void s34ADelayGoesOnAfterTheAgentWasKilled() throws IOException {
    site.node.startAgent();
    site.schedule("a", delayed("v1"));
    site.machine.runFor(Duration.ofSeconds(20));
    site.restartAgent();
    assertThat(site.waits("a")).isEqualTo("StartDelayed");

    site.machine.runFor(Duration.ofSeconds(21));
    assertThat(site.running()).containsExactly(slot("a"));

    site.schedule("b", delayed("v1"));
    site.machine.killAgent(site.node);
    site.node.setClock(Duration.ofDays(-365));
    site.node.startAgent();
    site.machine.runFor(Duration.ofSeconds(62));
    assertThat(site.running()).containsExactly(slot("a"), slot("b"));
  }

  @Test
  void s34TheOldVersionRunsWhileTheNewOneIsDelayed() throws IOException {
    site.node.releases = Optional.of(new SimulatedReleases());
    site.node.startAgent();
    site.schedule("plain", new Wanted("v1", 1));
    site.schedule("web", new Wanted("v1", 1, Optional.of(WebMachine.source("v1"))));
    site.machine.runFor(SOON);

    site.schedule("plain", delayed("v2"));
    site.schedule(
        "web",
        new Wanted("v2", 1, Optional.of(WebMachine.source("v2")))
            .with("start", Map.of("delay", "60s")));

    assertThat(site.running()).containsExactly(slot("plain"), slot("web"));
    assertThat(site.state("plain")).isEqualTo(State.PREPARING);
    assertThat(site.status("web").reason()).startsWith("v2: its first start is delayed until 20");
    assertThat(site.node.runningProcesses().get(slot("plain"))).isEqualTo("plain-v1");
    site.machine.runFor(Duration.ofMinutes(1));

    assertThat(site.node.runningProcesses().get(slot("plain"))).isEqualTo("plain-v2");
    assertThat(site.status("web").version()).contains("v2");
    assertThat(site.starts("web")).isEqualTo(2);
    site.schedule("plain", new Wanted("v1", 1));
    site.schedule("plain", delayed("v2"));
    assertThat(site.node.runningProcesses().get(slot("plain"))).isEqualTo("plain-v2");
  }

  private ProcessGroup.Exit killed() {
    return new ProcessGroup.Exit(Optional.empty(), Optional.of(9), site.machine.world.now(), true);
  }
}
