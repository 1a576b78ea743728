package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static verwalter.e2e.ImageSite.soon;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Services of one file each, with the launcher and a configuration that has nothing else. */
@TestMethodOrder(OrderAnnotation.class)
class ServiceTest {
  /** Answers each request with its directory, which has the revision in its name. */
  private static final String SERVICE =
      """
      processes:
        web:
          command: [python3, -m, http.server, --bind, 127.0.0.1, "${port.http}"]
          instances: 3
          ports: {http: 24200-24299}
          directory: %s
          stop-timeout: 2s
      update: {one-by-one: true, ready-for: 1s}
      """;

  /** A command that runs every minute. */
  private static final String TIMED =
      """
      processes: {web: {command: [sh, -c, exec sleep 86400]}}
      commands:
        tick: {command: [sh, -c, "id -u; echo ticked on ${node}; exit 3"], cron: "* * * * *"}
      """;

  @TempDir private static Path root;
  private static Site site;
  private static LaunchedAgent agent;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    site = Site.reopened(root);
    Files.createDirectories(site.config().resolve("roles"));
    site.write("roles/timed.yaml", TIMED);
    agent = LaunchedAgent.start(root, site);
  }

  @AfterAll
  static void stop() throws Exception {
    agent.close();
  }

  /** A directory with a page that contains this text. */
  private static Path page(String text) throws IOException {
    var directory = Files.createDirectories(root.resolve("pages").resolve(text));
    Files.writeString(directory.resolve("index.html"), text);
    return directory;
  }

  private static void file(String name, String text) throws IOException {
    site.write("roles/" + name + ".yaml", text);
  }

  private static JsonNode status(String role) {
    return agent.object("roleinstances", role + "@alone").path("status");
  }

  /**
   * The texts that the processes of a role serve now, by port; empty for those that do not answer.
   */
  private Map<Integer, String> pages(String role) {
    var pages = new TreeMap<Integer, String>();
    var variables = agent.object("roleinstances", role + "@alone").at("/spec/variables/daemons");
    for (var daemon : variables) {
      int port = Integer.parseInt(daemon.at("/variables/http").asText());
      pages.put(port, page(port));
    }
    return pages;
  }

  private String page(int port) {
    try {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
      return client.send(request, BodyHandlers.ofString()).body();
    } catch (IOException down) {
      return "";
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private void awaitPages(String role, String text, int count) {
    soon(
        () -> {
          assertThat(status(role).path("state").asText()).isEqualTo("RUNNING");
          assertThat(pages(role).values()).hasSize(count).containsOnly(text);
        });
  }

  @Test
  void oneFileIsAServiceAndItsContentIsARevision() throws Exception {
    file("shop", SERVICE.formatted(page("one")));
    awaitPages("shop", "one", 3);
    var ports = pages("shop").keySet();
    for (var pid : agent.pids("shop").values()) {
      assertThat(Files.getAttribute(Path.of("/proc/" + pid), "unix:uid")).isEqualTo(uid());
    }

    file("shop", SERVICE.formatted(page("two")));
    var fewest = new ArrayList<>(List.of(3));
    soon(
        () -> {
          var now = pages("shop").values();
          fewest.add((int) now.stream().filter(text -> !text.isEmpty()).count());
          assertThat(now).hasSize(3).containsOnly("two");
        });
    assertThat(fewest).allMatch(answering -> answering >= 2);
    assertThat(pages("shop").keySet()).isEqualTo(ports);
    assertThat(agent.object("roleconfigs", "shop").at("/status/versions"))
        .extracting(JsonNode::asText)
        .containsExactly("v1", "v2");

    var pids = agent.pids("shop");
    agent.killHard();
    agent.startAgain();
    awaitPages("shop", "two", 3);
    assertThat(agent.pids("shop")).isEqualTo(pids);

    Files.delete(site.config().resolve("roles/shop.yaml"));
    soon(() -> assertThat(pids.values()).noneMatch(pid -> Files.exists(Path.of("/proc/" + pid))));
  }

  /** The last one, since its minute passes during the others. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aCommandRunsByTimeAndItsEndIsShown() throws Exception {
    await()
        .atMost(Duration.ofSeconds(70))
        .untilAsserted(
            () ->
                assertThat(agent.vw("get", "events").text())
                    .contains("CommandFailed", "timed/tick.0 exited with code 3"));
    // The next run may be ending now, before its output is known.
    soon(
        () -> {
          var command = agent.object("processgroups", "timed@alone").at("/status/commands/0");
          assertThat(command.at("/lastExit/code").asInt()).isEqualTo(3);
          assertThat(command.at("/lastExit/message").asText())
              .contains("its last output: " + uid(), "ticked on alone");
        });
    assertThat(agent.vw("get", "pg", "-o", "wide").text()).contains("tick:exit:3");
    assertThat(agent.vw("describe", "pg", "timed@alone").text()).contains("timed/tick.0");
    assertThat(agent.vw("logs", "timed/tick").text()).contains("ticked on alone");
    assertThat(agent.vw("get", "ri").text()).containsPattern("timed@alone +Running");
  }

  /** The user of the processes of a file that names none. */
  private static Object uid() throws IOException {
    var own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return own.equals(0) ? Integer.valueOf(65534) : own;
  }

  @Test
  void aRevisionWhoseProcessesFailGivesWayToTheFormerOne() throws Exception {
    file("frail", SERVICE.formatted(page("good")).replace("242", "243"));
    awaitPages("frail", "good", 3);
    var broken =
        SERVICE
            .formatted(page("good"))
            .replace("242", "243")
            .replace("http.server", "no.such.module");
    file("frail", broken);

    soon(() -> assertThat(agent.vw("why", "frail").text()).contains("v2 failed before"));
    awaitPages("frail", "good", 3);
    assertThat(agent.object("roleconfigs", "frail").at("/status/versions")).hasSize(2);

    file("frail", SERVICE.formatted(page("better")).replace("242", "243"));
    awaitPages("frail", "better", 3);
  }

  @Test
  void aMistakeInAFileChangesNothingAndNamesItsPlace() throws Exception {
    file("calm", SERVICE.formatted(page("calm")).replace("242", "244"));
    awaitPages("calm", "calm", 3);
    var pids = agent.pids("calm");

    file("calm", "processes:\n  web:\n    comand: [x]\n");
    soon(
        () ->
            assertThat(agent.vw("status").text())
                .contains("roles/calm.yaml:3:5: processes.web.comand: unknown field")
                .contains("did you mean \"command\"?"));
    file("calm", "processes: {web: {command: [no-such-program]}}\n");
    soon(
        () ->
            assertThat(agent.vw("status").text())
                .contains("there is no program \"no-such-program\" in PATH="));
    assertThat(agent.pids("calm")).isEqualTo(pids);
  }

  /** Answers with the status in a file beside its page; {@code hang} answers never. */
  private static final String PROBED =
      """
      processes:
        web:
          command: [python3, %s, "${port.http}", %s]
          ports: {http: 24500-24509}
          stop-timeout: 1s
          health:
            readiness: {http: /healthz, failures: 1}
            liveness: {http: /live, interval: 1s, timeout: 1s, failures: 2}
      update: {ready-for: 1s, deadline: 3s}
      """;

  private static final String SERVER =
      """
      import sys, time, http.server
      class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          status = open(sys.argv[2]).read().strip()
          if status == "hang":
            time.sleep(1000)
          self.send_response(int(status) if self.path == "/healthz" else 200)
          self.end_headers()
          self.wfile.write(sys.argv[2].encode())
      http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
      """;

  private static Path status(String name, String status) throws IOException {
    var file = root.resolve(name);
    Files.writeString(file, status);
    return file;
  }

  private static String ready(String role) {
    return agent
        .object("processgroups", role + "@alone")
        .at("/status/processes/0/readiness/ready")
        .asText();
  }

  @Test
  void healthDecidesAboutReadinessRestartsAndUpdates() throws Exception {
    var server = root.resolve("server.py");
    Files.writeString(server, SERVER);
    var good = status("good", "200");
    file("probed", PROBED.formatted(server, good));
    soon(() -> assertThat(ready("probed")).isEqualTo("True"));

    status("good", "503");
    soon(
        () -> {
          assertThat(agent.vw("get", "ri").text()).contains("NotReady");
          assertThat(agent.vw("describe", "ri", "probed@alone").text())
              .contains("HTTP 503 from http://127.0.0.1:24500/healthz");
        });
    status("good", "200");
    soon(() -> assertThat(ready("probed")).isEqualTo("True"));

    var pids = agent.pids("probed");
    status("good", "hang");
    soon(
        () -> assertThat(agent.pids("probed").values()).doesNotContainAnyElementsOf(pids.values()));
    status("good", "200");
    soon(() -> assertThat(ready("probed")).isEqualTo("True"));
    assertThat(agent.vw("get", "events").text()).contains("its liveness probe failed: no answer");

    var never = status("never", "503");
    file("probed", PROBED.formatted(server, never));
    soon(() -> assertThat(agent.vw("why", "probed").text()).contains("v2 failed before"));
    soon(
        () -> {
          assertThat(pages("probed").values()).containsOnly(good.toString());
          assertThat(ready("probed")).isEqualTo("True");
        });
  }

  /** A web server that ends when a file exists, and what it needs. */
  private static final String ORDERED =
      """
      processes:
        db:
          command: [sh, -c, 'trap "echo db >>order; exit" TERM; while :; do sleep 0.1; done']
          directory: %1$s
        web:
          command:
            - sh
            - -c
            - >-
              trap 'trap "" TERM; >asked; until [ -e go ]; do sleep 0.1; done;
              echo web >>order; exit' TERM; while :; do sleep 0.1; done
          directory: %1$s
          stop-timeout: 1m
          after: [db]
      """;

  @Test
  void processesAreStoppedInTheirOrderEvenIfTheAgentIsKilled() throws Exception {
    var directory = Files.createDirectory(root.resolve("ordered"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    var draft = Files.writeString(root.resolve("ordered.yaml"), ORDERED.formatted(directory));
    var config = site.config().toString();
    assertThat(agent.vw("apply", "-f", draft.toString(), "--config-dir", config).text())
        .contains("service/ordered created in " + config);
    var pids = agent.awaitRunning("ordered", 2);

    Files.delete(site.config().resolve("roles/ordered.yaml"));
    soon(() -> assertThat(directory.resolve("asked")).exists());
    agent.killHard();
    agent.startAgain();
    soon(() -> assertThat(agent.vw("get", "pg").text()).contains("ordered@alone"));
    assertThat(directory.resolve("order")).doesNotExist();
    assertThat(pids.values()).allMatch(pid -> Files.exists(Path.of("/proc/" + pid)));

    Files.createFile(directory.resolve("go"));
    soon(() -> assertThat(directory.resolve("order")).hasContent("web\ndb"));
  }

  /**
   * Writes with which rights it runs, and takes more memory than it may have when it is asked to.
   */
  private static final String LIMITED =
      """
      processes:
        job:
          command:
            - sh
            - -c
            - >-
              { id -u; id -G; umask; } >rights.new; mv rights.new rights;
              until [ -e greedy ]; do sleep 0.1; done; rm greedy;
              x=12345678; while :; do x=$$x$$x; done
          user: daemon
          groups: [games, 44]
          umask: "027"
          limits: {memory: 30MB, cpu: 0.5, pids: 20}
          directory: %s
      """;

  /** Executes a program that cannot make cgroups. */
  private static final String WITHOUT_CGROUPS =
      """
      for group in $(awk '$3 ~ /^cgroup/ {print $2}' /proc/mounts); do
        mount -o remount,bind,ro $group
      done
      exec "$0" "$@"
      """;

  private static void assumeLimits() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can limit processes");
    var groups = Files.readString(Path.of("/proc/mounts"));
    assumeTrue(
        Pattern.compile("(?m)^\\S+ \\S+ cgroup \\S*\\bmemory\\b").matcher(groups).find(),
        "this machine has no controller of memory");
  }

  private static String limited() {
    return agent.complaint(agent.object("processgroups", "limited@alone"), "Limited");
  }

  @Test
  void limitsAndRightsAreThoseOfTheFile() throws Exception {
    assumeLimits();
    var directory = Files.createDirectory(root.resolve("limited"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    file("limited", LIMITED.formatted(directory));
    soon(() -> assertThat(directory.resolve("rights")).hasContent("1\n1 44 60\n0027"));
    assertThat(limited()).isEmpty();
    var pids = agent.awaitRunning("limited", 1);

    agent.killHard();
    agent.startAgainBy("unshare", "--mount", "sh", "-c", WITHOUT_CGROUPS);
    assertThat(agent.awaitRunning("limited", 1)).isEqualTo(pids);
    Files.createFile(directory.resolve("greedy"));
    soon(
        () ->
            assertThat(
                    agent
                        .object("processgroups", "limited@alone")
                        .at("/status/processes/0/lastExit/message")
                        .asText())
                .contains("ended by the memory limit of 30 MB"));

    soon(() -> assertThat(limited()).contains("the limits of memory", "are not enforced"));
    assertThat(agent.vw("status").text()).contains("runs without some of its limits");
    agent.killHard();
    agent.startAgain();
    agent.vw("restart", "limited");
    soon(() -> assertThat(limited()).isEmpty());
  }
}
