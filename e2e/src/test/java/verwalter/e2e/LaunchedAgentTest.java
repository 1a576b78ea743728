package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the main features with the launcher and real processes. */
@Order(7)
class LaunchedAgentTest {
  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    site.version("app", "v1", 2);
    agent = LaunchedAgent.start(root, site);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private static void within(Duration limit, org.awaitility.core.ThrowingRunnable claim) {
    await().atMost(limit).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    within(Duration.ofSeconds(30), claim);
  }

  @Test
  void aRoleInFilesBecomesRealProcesses() throws Exception {
    var pids = agent.awaitRunning("app", 2);

    assertThat(pids.keySet()).containsExactly("app/worker.0", "app/worker.1");
    assertThat(pids.values()).allMatch(Processes::alive);
    assertThat(site.outputOf("app")).hasContent("version=v1\ncount=2");
    var listed = agent.vw("get", "roleinstances");
    assertThat(listed.code()).isZero();
    assertThat(listed.text()).contains("app@alone").contains("Running").contains("2/2");
    soon(
        () ->
            assertThat(agent.object("nodes", "alone").at("/status/schedule").asText())
                .isEqualTo(agent.json("/v1/schedule").path("hash").asText()));
  }

  @Test
  void aNewVersionDirectoryReplacesTheProcesses() throws Exception {
    var before = agent.awaitRunning("app", 2);

    site.version("app", "v2", 3);

    soon(() -> assertThat(site.outputOf("app")).hasContent("version=v2\ncount=3"));
    var after = agent.awaitRunning("app", 3);
    assertThat(after.values()).doesNotContainAnyElementsOf(before.values());
    assertThat(before.values()).noneMatch(Processes::alive);
  }

  @Test
  void aKilledProcessIsRestarted() {
    var before = agent.awaitRunning("app", 2);
    long victim = before.get("app/worker.0");

    Processes.kill(victim);

    soon(
        () ->
            assertThat(agent.pids("app"))
                .containsEntry("app/worker.1", before.get("app/worker.1"))
                .containsKey("app/worker.0")
                .doesNotContainValue(victim));
    var slot = agent.object("processgroups", "app@alone").at("/status/processes/0");
    assertThat(slot.path("restarts").asLong()).isEqualTo(1);
    assertThat(slot.at("/lastExit/signal").asInt()).isEqualTo(9);
  }

  @Test
  void aKilledAgentLeavesProcessesRunningAndTheNextAdoptsThem() throws Exception {
    var before = agent.awaitRunning("app", 2);
    long start = Processes.startOf(before.get("app/worker.0"));

    agent.killHard();
    assertThat(before.values()).allMatch(Processes::alive);
    agent.startAgain();

    assertThat(agent.awaitRunning("app", 2)).isEqualTo(before);
    assertThat(Processes.startOf(before.get("app/worker.0"))).isEqualTo(start);

    Processes.kill(before.get("app/worker.0"));
    within(
        Duration.ofSeconds(5),
        () -> {
          var slot = agent.object("processgroups", "app@alone").at("/status/processes/0");
          assertThat(slot.at("/lastExit/signal").asInt()).isEqualTo(9);
          assertThat(slot.path("state").asText()).isEqualTo("RUNNING");
        });
  }

  @Test
  void aStoppedAgentLeavesProcessesRunning() throws Exception {
    var before = agent.awaitRunning("app", 2);

    assertThat(agent.stop()).isZero();

    assertThat(before.values()).allMatch(Processes::alive);
    agent.startAgain();
    assertThat(agent.awaitRunning("app", 2)).isEqualTo(before);
    assertThat(agent.log()).as("a healthy agent that starts and stops").doesNotContain("problem=");
  }

  @Test
  void aBrokenSchedulerLeavesTheOldScheduleUntilItIsRepaired() throws Exception {
    var before = agent.awaitRunning("app", 2);
    var hash = agent.json("/v1/schedule").path("hash").asText();
    var good = site.read("scheduler/v1/main.lua");

    site.write("scheduler/v1/main.lua", "return {\n  scheduler = = 1\n}\n");

    soon(
        () ->
            assertThat(agent.complaint(agent.object("schedules", "current"), "SchedulerLoaded"))
                .contains("main.lua:2"));
    assertThat(agent.json("/v1/schedule").path("hash").asText()).isEqualTo(hash);
    assertThat(agent.pids("app")).isEqualTo(before);

    site.write("scheduler/v1/main.lua", good);
    site.count("app", "v1", 3);

    agent.awaitRunning("app", 3);
    assertThat(agent.complaint(agent.object("schedules", "current"), "SchedulerLoaded")).isEmpty();
  }

  @Test
  void anActionThatMakesTheSchedulerFailIsSetAside() throws Exception {
    agent.awaitRunning("app", 2);
    var code = newestCode();
    site.write(
        "scheduler/v1/main.lua",
        site.read("scheduler/v1/main.lua")
            .replace(
                "local roles, mine",
                """
                for _, action in pairs(input.actions) do
                  assert(action.button.action ~= 'poison', 'I cannot bear poison')
                end
                local roles, mine"""));
    soon(() -> assertThat(newestCode()).isNotEqualTo(code));

    var poison = agent.vw("action", "app", "poison", "--wait");
    assertThat(poison.code()).isEqualTo(7);
    assertThat(poison.text()).contains("was set aside: main.lua:").contains("I cannot bear poison");
    var harmless = agent.vw("action", "app", "harmless", "--wait");
    assertThat(harmless.text()).contains(" done, schedule ");
    assertThat(agent.vw("get", "act").text()).contains("SetAside").contains("Done");
    site.count("app", "v1", 3);
    agent.awaitRunning("app", 3);
    assertThat(agent.json("/v1/pending_actions")).isEmpty();
    assertThat(agent.vw("schedule", "show", "latest").text()).contains("app    alone   v1");
  }

  @Test
  void decisionsSurviveTheAgentAndReplayIdentically() throws Exception {
    agent.awaitRunning("app", 2);
    site.count("app", "v1", 3);
    agent.awaitRunning("app", 3);
    var why = agent.vw("why", "app");
    assertThat(why.text()).contains("setting v1.count of role app: 2 -> 3");

    agent.killHard();
    agent.startAgain();
    agent.awaitRunning("app", 3);

    var replay = agent.vw("schedule", "replay", "--all");
    assertThat(replay.code()).as(replay.text()).isZero();
    assertThat(replay.text()).contains(" identical, 0 different, 0 skipped");
    assertThat(agent.json("/v1/scheduler_input").path("current_host").asText()).isEqualTo("alone");
  }

  private String newestCode() {
    return agent.json("/v1/decisions").at("/items/0/code").asText();
  }

  @Test
  void aBrokenTemplateLeavesTheOldFilesByteForByte() throws Exception {
    var before = agent.awaitRunning("app", 2);
    var bytes = Files.readAllBytes(site.outputOf("app"));
    var template = site.read("templates/app/v1/settings.txt.j2");

    site.write("templates/app/v1/settings.txt.j2", "version=new\n{{ versoin }}\n");

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "app@alone"), "Rendered"))
                .contains("settings.txt.j2:2")
                .contains("version"));
    soon(() -> assertThat(agent.stateOf("app")).isEqualTo("BROKEN"));
    assertThat(Files.readAllBytes(site.outputOf("app"))).isEqualTo(bytes);
    assertThat(agent.pids("app")).isEqualTo(before);

    site.write("templates/app/v1/settings.txt.j2", template);
    assertThat(agent.awaitRunning("app", 2)).isEqualTo(before);
  }

  @Test
  void aFailingCheckLeavesTheOldFilesByteForByte() throws Exception {
    var before = agent.awaitRunning("app", 2);
    var bytes = Files.readAllBytes(site.outputOf("app"));

    site.write("templates/app/v1/settings.txt.j2", "no version here\n");

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "app@alone"), "Rendered"))
                .contains("grep"));
    assertThat(Files.readAllBytes(site.outputOf("app"))).isEqualTo(bytes);
    assertThat(agent.pids("app")).isEqualTo(before);
  }

  @Test
  void anInvalidProcessFileSwitchesNothing() throws Exception {
    var before = agent.awaitRunning("app", 2);

    site.write(
        "templates/app/v1/processes.yaml.j2",
        site.read("templates/app/v1/processes.yaml.j2").replace("image:", "imagee:"));

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "app@alone"), "Rendered"))
                .contains("imagee"));
    assertThat(agent.pids("app")).isEqualTo(before);
  }

  @Test
  void aRemovedRoleLosesItsProcessesAndFiles() throws Exception {
    site.version("other", "v1", 1);
    var gone = agent.awaitRunning("app", 2);
    var stays = agent.awaitRunning("other", 1);

    site.remove("runtime/app");

    soon(
        () -> {
          assertThat(gone.values()).noneMatch(Processes::alive);
          assertThat(site.outputOf("app")).doesNotExist();
          assertThat(agent.status("/apis/verwalter.io/v1/roleinstances/app@alone")).isEqualTo(404);
        });
    assertThat(agent.pids("other")).isEqualTo(stays);
    assertThat(site.outputOf("other")).exists();
  }

  @Test
  void twoHundredInstancesScaleToFiftyAndBack() throws Exception {
    site.count("app", "v1", 200);
    var all = agent.awaitRunning("app", 200);

    site.count("app", "v1", 50);
    var few = agent.awaitRunning("app", 50);
    assertThat(all).containsAllEntriesOf(few);
    soon(() -> assertThat(all.values().stream().filter(Processes::alive)).hasSize(50));

    site.count("app", "v1", 200);
    assertThat(agent.awaitRunning("app", 200)).containsAllEntriesOf(few);
  }

  @Test
  void aSecondAgentOnTheSameStorageIsRefused() throws Exception {
    agent.awaitRunning("app", 2);
    var second =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "--config-dir=" + site.config(),
                "--storage-dir=" + root.resolve("storage"),
                "--log-dir=" + root.resolve("log"),
                "--port=0")
            .redirectErrorStream(true)
            .start();
    var text =
        new String(second.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

    assertThat(second.waitFor()).isEqualTo(3);
    assertThat(text).contains("in use").contains(root.resolve("storage").toString());
  }

  @Test
  void eventsReportWhatHappened() {
    agent.awaitRunning("app", 2);
    soon(
        () ->
            assertThat(agent.objects("events"))
                .extracting(event -> event.at("/spec/reason").asText())
                .contains("Scheduled", "Rendered", "BecameRunning"));
  }
}
