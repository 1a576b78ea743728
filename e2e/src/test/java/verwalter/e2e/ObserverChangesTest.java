package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.observers;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.readyNodes;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;

/**
 * Tests what happens to an observer while its cluster goes on: it is the sixth of six nodes, and is
 * so again after each test.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ObserverChangesTest {
  /** Runs the role on all nodes, with as many more processes as the last action says. */
  private static final String SCHEDULER =
      LuaSchedulers.ON_ALL_NODES
          + """
      local function schedule(input)
        local more = json.object{}
        for _, parent in ipairs(input.parents) do
          for host, count in pairs(parent.state.more) do more[host] = count end
        end
        for _, request in pairs(input.actions) do
          more[request.host] = request.more
        end
        local roles, nodes = on_all_nodes(input, function(version, host)
          return {
            template = "app/v1",
            version = "v1",
            image = version.image,
            count = version.count + (more[host] or 0),
          }
        end)
        return json.encode{roles = roles, nodes = nodes, state = json.object{more = more}}, ""
      end

      return {scheduler = schedule}
      """;

  private static final String ACTION =
      """
      apiVersion: verwalter.io/v1
      kind: Action
      metadata: {name: "%d"}
      spec: {request: {host: %s, more: %d}, at: "2026-01-01T00:00:00Z"}
      """;

  private static final String API = "/apis/verwalter.io/v1/";
  private static final String WRITES = "/cluster/v1/writes";
  private static final int SIZE = 6;

  /** The answers to a node that was removed: none, or that it was. */
  private static final List<Integer> REFUSED = List.of(0, 403);

  private static final Pattern EPOCH = Pattern.compile("epoch=(\\d+)");

  @TempDir private static Path root;
  private LaunchedCluster cluster;
  private LaunchedAgent first;
  private LaunchedAgent observer;
  private Map<String, Long> processes;
  private int clusters;
  private boolean sound;

  @BeforeEach
  void form() throws Exception {
    if (!sound) {
      stop();
      cluster =
          LaunchedCluster.of(
              SIZE, 2, root.resolve("cluster" + clusters++), ObserverChangesTest::configure);
      first = cluster.agent("n1");
      soon(() -> assertThat(pids(first)).hasSize(2 * SIZE));
      processes = pids(first);
    }
    sound = false;
    observer = cluster.agent("n6");
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  private static void configure(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", SCHEDULER);
    site.version("app", "v1", 2);
  }

  private static void succeeds(LaunchedAgent.Output output) {
    assertThat(output.code()).as(output.text()).isZero();
  }

  /** Asserts that no process has ended. */
  private void assertRun() {
    var ended = new TreeMap<>(processes);
    ended.values().removeIf(Processes::alive);
    assertThat(ended).isEmpty();
  }

  /** Waits until all nodes are ready, the sixth is an observer, and all processes are known. */
  private void isWhole() {
    cluster.isReady(SIZE);
    for (var agent : cluster.agents()) {
      soon(() -> assertThat(observers(agent)).containsExactly("n6"));
    }
    assertThat(cluster.hasServer("n6")).isFalse();
    soon(() -> assertThat(pids(first)).isEqualTo(processes));
    soon(() -> assertThat(schedule(observer)).isEqualTo(schedule(first)));
    assertRun();
    sound = true;
  }

  private static Object schedule(LaunchedAgent agent) {
    return agent.object("schedules", "current").path("spec");
  }

  private static long epoch(LaunchedAgent agent) {
    var epoch = EPOCH.matcher(agent.json("/v1/status").path("view").asText());
    assertThat(epoch.find()).isTrue();
    return Long.parseLong(epoch.group(1));
  }

  /** The text of a new token of an admin. */
  private String admin(String name) throws Exception {
    var created =
        first.vwAsAdmin("auth", "create-token", name, "--grant", "admin", "--ttl", "1h").text();
    return created.lines().filter(it -> it.startsWith("vwt_")).findFirst().orElseThrow();
  }

  private static boolean isCordoned(LaunchedAgent agent, String node) {
    return agent.object("nodes", node).at("/spec/cordoned").asBoolean();
  }

  /** Writes with a token through an agent, and undoes it. */
  private void writes(LaunchedAgent agent, String token) {
    soon(() -> succeeds(agent.vw("--token=" + token, "cordon", "n2")));
    soon(() -> assertThat(isCordoned(agent, "n2")).isTrue());
    soon(() -> assertThat(isCordoned(first, "n2")).isTrue());
    soon(() -> succeeds(agent.vw("--token=" + token, "uncordon", "n2")));
  }

  /** A client with a copy of the present certificate of the observer. */
  private HttpClient withItsCertificate(Path copy) throws Exception {
    Files.createDirectories(copy.resolve("pki"));
    try (var files = Files.list(cluster.home("n6").resolve("storage/cluster/pki"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve("pki").resolve(file.getFileName()));
      }
    }
    var pki = new Pki(PkiFiles.in(copy.resolve("pki")));
    var tls = new ClusterTls(pki, clusterId(), InstantSource.system());
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(tls.context(Peers.NODES))
        .sslParameters(new SSLParameters())
        .build();
  }

  private String clusterId() {
    return first.json("/v1/cluster").path("cluster").asText();
  }

  /** The status of a request at the cluster port of a node; 0 if the connection is refused. */
  private int status(HttpClient client, int node, String method, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("https://" + cluster.address(node) + path))
            .method(method, HttpRequest.BodyPublishers.ofString(""))
            .timeout(Duration.ofSeconds(10))
            .build();
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException refused) {
      return 0;
    }
  }

  @Test
  void anObserverThatRunsIsRemovedAndJoinsAgain() throws Exception {
    var stolen = withItsCertificate(root.resolve("stolen" + clusters));
    int leading = Integer.parseInt(leader(first).substring(1));
    long epoch = epoch(first);
    assertThat(status(stolen, leading, "POST", WRITES)).isEqualTo(400); // it has no writes
    assertThat(status(stolen, 2, "GET", "/cluster/v1/copy/snapshot")).isEqualTo(200);
    assertThat(first.vwAsAdmin("node", "remove", "n6", "--yes").text()).contains("n6 is ready");

    succeeds(first.vwAsAdmin("node", "remove", "n6", "--yes", "--force"));

    assertThat(observer.awaitEnd()).isEqualTo(3);
    assertThat(observer.log()).contains("this node was removed from the cluster");
    for (int node = 1; node <= 5; node++) {
      int number = node;
      soon(() -> assertThat(status(stolen, number, "POST", WRITES)).isIn(REFUSED));
      assertThat(status(stolen, node, "GET", "/cluster/v1/copy/snapshot")).isIn(REFUSED);
    }
    assertThat(readyNodes(first)).containsExactly("n1", "n2", "n3", "n4", "n5");
    assertThat(observer.runAgain()).isEqualTo(3);
    assertThat(observer.log()).contains("join again with a new token");
    assertRun();
    cluster.join("n6", 6, first, 1);
    observer = cluster.agent("n6");
    isWhole();

    // One that is removed while it hears nothing learns it afterwards.
    sound = false;
    observer.freeze();
    succeeds(first.vwAsAdmin("node", "remove", "n6", "--yes", "--force"));
    observer.thaw();
    assertThat(observer.awaitEnd()).isEqualTo(3);
    assertRun();
    cluster.join("n6", 6, first, 1);
    observer = cluster.agent("n6");
    isWhole();

    // It leaves by itself.
    sound = false;
    succeeds(observer.vwAsAdmin("node", "leave", "--yes"));
    assertThat(observer.awaitEnd()).isEqualTo(3);
    assertRun();
    cluster.join("n6", 6, first, 1);
    observer = cluster.agent("n6");

    isWhole();
    assertThat(epoch(first)).isEqualTo(epoch);
  }

  @Test
  void anObserverIsRenamedWhileItsProcessesRun() throws Exception {
    succeeds(first.vwAsAdmin("node", "rename", "n6", "web-6"));

    for (var agent : cluster.agents()) {
      soon(
          () ->
              assertThat(readyNodes(agent)).containsExactly("n1", "n2", "n3", "n4", "n5", "web-6"));
      soon(() -> assertThat(observers(agent)).containsExactly("web-6"));
    }
    var renamed = new TreeMap<String, Long>();
    processes.forEach((slot, pid) -> renamed.put(slot.replace("@n6 ", "@web-6 "), pid));
    soon(() -> assertThat(pids(first)).isEqualTo(renamed));
    soon(() -> succeeds(observer.vw("cordon", "web-6")));
    soon(() -> assertThat(isCordoned(observer, "web-6")).isTrue());
    succeeds(observer.vw("uncordon", "web-6"));
    observer.killHard();
    observer.startAgain();
    soon(() -> assertThat(leader(observer)).isNotEmpty());
    soon(() -> assertThat(pids(first)).isEqualTo(renamed));

    succeeds(first.vwAsAdmin("node", "rename", "web-6", "n6"));

    isWhole();
  }

  private String issuer(String node) throws Exception {
    var pki = new Pki(PkiFiles.in(cluster.home(node).resolve("storage/cluster/pki")));
    var chain = pki.node().chain();
    return chain.get(chain.size() - 1).getSerialNumber().toString(16);
  }

  private LaunchedAgent.Output rotate() {
    try {
      return first.vwAsAdmin("cluster", "rotate-ca");
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void theAuthorityIsReplacedWhileAnObserverFollows() throws Exception {
    var before = issuer("n1");
    long pid = observer.pid();

    succeeds(first.vwAsAdmin("cluster", "rotate-ca"));

    assertThat(issuer("n1")).isNotEqualTo(before);
    assertThat(issuer("n6")).isEqualTo(issuer("n1"));
    assertThat(observer.pid()).isEqualTo(pid);
    var token = admin("after-rotation");
    writes(observer, token);

    // One that is away holds the change up, and joins in.
    var old = issuer("n1");
    observer.killHard();
    var rotated = CompletableFuture.supplyAsync(this::rotate);
    soon(
        () ->
            assertThat(first.vw("cluster", "status").text())
                .containsPattern("new authority \\w+: n6 "));
    observer.startAgain();
    succeeds(rotated.get(90, TimeUnit.SECONDS));
    for (int node = 1; node <= SIZE; node++) {
      assertThat(issuer("n" + node)).isNotEqualTo(old).isEqualTo(issuer("n1"));
    }

    // All connections are made anew.
    var lost = leader(first);
    cluster.agent(lost).killHard();
    soon(() -> assertThat(leader(observer)).isNotEmpty().isNotEqualTo(lost));
    cluster.agent(lost).startAgain();
    writes(observer, token);
    isWhole();
  }

  private Path action(int id, String host, int more) throws IOException {
    return Files.writeString(
        root.resolve("action%d.yaml".formatted(id)), ACTION.formatted(id, host, more));
  }

  @Test
  void whatIsAppliedAtAnObserverRunsOnAnotherNode() throws Exception {
    var token = admin("through-observer");

    succeeds(observer.vw("--token=" + token, "apply", "-f", action(1001, "n2", 1).toString()));

    soon(() -> assertThat(pids(observer)).hasSize(processes.size() + 1));
    assertThat(pids(observer)).containsAllEntriesOf(processes);
    assertThat(pids(observer).keySet()).filteredOn(slot -> slot.contains("@n2 ")).hasSize(3);
    succeeds(observer.vw("--token=" + token, "apply", "-f", action(1002, "n2", 0).toString()));
    isWhole();
  }

  @Test
  void anObserverAnswersReadsAndWatchesWithItsView() throws Exception {
    var client = HttpClient.newHttpClient();
    var nodes = URI.create(observer.url() + API + "nodes");
    var read = client.send(HttpRequest.newBuilder(nodes).build(), BodyHandlers.ofString());
    assertThat(read.statusCode()).isEqualTo(200);
    var view = read.headers().firstValue("Verwalter-View").orElse("");
    assertThat(view)
        .contains("side=majority")
        .contains("leader=\"%s\"".formatted(leader(first)))
        .contains("epoch=%d".formatted(epoch(first)))
        .containsPattern("age=\\d");
    assertThat(observer.json("/v1/status").path("asked").asText()).isEqualTo("n6");

    var seen = new CopyOnWriteArrayList<String>();
    var watch =
        client
            .sendAsync(
                HttpRequest.newBuilder(URI.create(nodes + "?watch=true")).build(),
                BodyHandlers.ofLines())
            .thenAcceptAsync(answer -> answer.body().forEach(seen::add));
    soon(() -> assertThat(seen).hasSizeGreaterThanOrEqualTo(SIZE));
    succeeds(first.vw("cordon", "n2"));
    soon(
        () ->
            assertThat(seen)
                .anyMatch(it -> it.contains("MODIFIED") && it.contains("\"cordoned\":true")));
    succeeds(first.vw("uncordon", "n2"));

    // After a change of the leader a watch goes on, or ends so that the client lists again.
    var lost = leader(first);
    cluster.agent(lost).killHard();
    soon(() -> assertThat(leader(observer)).isNotEmpty().isNotEqualTo(lost));
    var token = cluster.agent("n2").equals(cluster.agent(lost)) ? "n3" : "n2";
    int before = seen.size();
    soon(() -> succeeds(cluster.agent(token).vw("cordon", "n4")));
    soon(
        () ->
            assertThat(
                    watch.isDone()
                        || seen.subList(before, seen.size()).stream()
                            .anyMatch(it -> it.contains("\"n4\"")))
                .isTrue());
    cluster.agent(lost).startAgain();
    soon(() -> succeeds(first.vw("uncordon", "n4")));
    isWhole();
  }

  @Test
  void allAgentsAreKilledAndStartAgain() throws Exception {
    for (var agent : cluster.agents()) {
      agent.killHard();
    }
    assertRun();

    // Alone at first, it knows what it runs.
    observer.startAgainUnready();
    var own = new TreeMap<>(processes);
    own.keySet().removeIf(slot -> !slot.contains("@n6 "));
    soon(() -> assertThat(pids(observer)).isEqualTo(own));
    assertThat(leader(observer)).isEmpty();
    assertRun();
    for (int node = 1; node < SIZE; node++) {
      cluster.agent("n" + node).startAgainUnready();
    }

    isWhole();
    writes(observer, admin("after-start"));
    isWhole();
  }
}
