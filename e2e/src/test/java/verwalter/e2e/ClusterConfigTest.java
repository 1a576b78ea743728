package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests three agents of a cluster whose configuration directories differ.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterConfigTest {
  /** Runs the role on all nodes, and passes a word of the scheduler's own to it. */
  private static final String SCHEDULER =
      LuaSchedulers.ON_ALL_NODES
          + """
      local function schedule(input)
        local roles, nodes = on_all_nodes(input, function(version)
          return {
            template = "app/v1",
            version = "v1",
            image = version.image,
            count = version.count,
            word = "WORD",
          }
        end)
        return json.encode{
          roles = roles,
          nodes = nodes,
          state = json.object{},
          query_metrics = {rules = {load = {metric = "load_avg_1min"}}},
        }, ""
      end

      return {scheduler = schedule}
      """;

  private static final String RECIPE =
      """
      templates:
        processes: processes.yaml.j2
      commands:
      - !Cmd [touch, "{{ config_dir }}/.rendered"]
      - !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
      """;

  /** All nodes use the images of the first one, since a sandbox names an absolute path. */
  private static final String SANDBOX =
      """
      image-dir: %s/n1/config/lithos/images
      allow-users: [0-65534]
      allow-groups: [0-65534]
      default-user: 0
      """;

  private static final int PORTS = 4;

  @TempDir private Path root;
  private final Map<String, LaunchedAgent> agents = new TreeMap<>();
  private final Map<String, Site> sites = new TreeMap<>();
  private int port;

  @AfterEach
  void stop() throws Exception {
    for (var agent : agents.values()) {
      agent.close();
    }
  }

  private static int freePorts() throws IOException {
    for (int first = 30_000; first < 32_000; first += PORTS) {
      if (areFree(first)) {
        return first;
      }
    }
    throw new IOException("no free ports");
  }

  private static boolean areFree(int first) {
    for (int node = 1; node <= 3; node++) {
      for (int each = first; each < first + PORTS; each++) {
        try (var socket = new ServerSocket()) {
          socket.bind(new InetSocketAddress(InetAddress.getByName(host(node)), each));
        } catch (IOException taken) {
          return false;
        }
      }
    }
    return true;
  }

  private static String host(int node) {
    return "127.0.14." + node;
  }

  private String address(int node) {
    return host(node) + ":" + port;
  }

  private Path home(int node) {
    return root.resolve("n" + node);
  }

  private static String[] flags(int node) {
    return new String[] {
      "--hostname=n" + node, "--override-machine-id=%032x".formatted(node),
    };
  }

  /** A directory with the same bytes on each node. */
  private Site site(int node) throws IOException {
    var site = Site.in(home(node));
    scheduler(site, "first");
    site.write("templates/app/v1/app.render.yaml", RECIPE);
    site.version("app", "v1", 1);
    site.remove("runtime/app");
    site.count("app", "v1", 1);
    site.write("lithos/sandboxes/app.yaml", SANDBOX.formatted(root));
    sites.put("n" + node, site);
    return site;
  }

  private static void scheduler(Site site, String word) throws IOException {
    site.write("scheduler/v1/main.lua", SCHEDULER.replace("WORD", word));
  }

  private LaunchedAgent start(int node) throws IOException {
    var agent = LaunchedAgent.start(home(node), sites.get("n" + node), flags(node));
    agents.put("n" + node, agent);
    return agent;
  }

  private void join(int node, String token) throws Exception {
    var site = site(node);
    var command =
        new ArrayList<>(
            List.of(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "join",
                address(1),
                "--token=" + token,
                "--address=" + address(node),
                "--config-dir=" + site.config(),
                "--storage-dir=" + home(node).resolve("storage"),
                "--log-dir=" + home(node).resolve("log")));
    command.addAll(List.of(flags(node)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    start(node);
  }

  private static void soon(org.awaitility.core.ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(claim);
  }

  private static String leader(LaunchedAgent agent) {
    return agent.json("/v1/status").at("/leader/name").asText();
  }

  private static JsonNode configuration(LaunchedAgent agent) {
    return agent.object("configurations", "current");
  }

  /** The word that the scheduler in force passes to a node. */
  private static String word(LaunchedAgent agent, String node) {
    return agent.object("nodeschedules", node).at("/spec/roles/app/word").asText();
  }

  private LaunchedAgent foundAndJoin() throws Exception {
    port = freePorts();
    site(1);
    var first = start(1);
    var founded =
        first.vwAsAdmin(
            "cluster", "init", "--address", address(1), "--credentials", root.toString());
    assertThat(founded.code()).as(founded.text()).isZero();
    var token = first.vwAsAdmin("token", "create", "--uses", "2");
    assertThat(token.code()).as(token.text()).isZero();
    var text = token.text().lines().findFirst().orElseThrow();
    join(2, text);
    join(3, text);
    soon(() -> assertThat(LaunchedCluster.electors(first)).containsExactly("n1", "n2", "n3"));
    for (var name : List.of("n2", "n3")) {
      soon(() -> assertThat(word(agents.get(name), name)).isEqualTo("first"));
    }
    return first;
  }

  @Test
  void newLeaderFollowsTheSettingsInForceUntilItsOwnAreAccepted() throws Exception {
    var first = foundAndJoin();
    soon(() -> assertThat(first.vw("config", "diff").text()).contains("no differences"));

    var schedule = first.json("/v1/schedule").path("hash").asText();
    checkAnswersOfFollower(first, agents.get("n2"));

    // The directories of both followers differ: one of them leads next.
    for (var name : List.of("n2", "n3")) {
      scheduler(sites.get(name), "second");
    }
    sites.get("n3").write("templates/app/v1/note.txt", "another template\n");
    soon(
        () ->
            assertThat(first.complaint(first.object("nodes", "n2"), "ConfigInForce"))
                .contains("read from n1: scheduler"));
    soon(
        () ->
            assertThat(first.complaint(first.object("roleconfigs", "app"), "TemplatesEqual"))
                .contains("n1 on n3"));
    assertThat(first.vw("config", "diff", "n3").text()).contains("templates/app", "scheduler");
    assertThat(first.vw("status").text()).contains("has another configuration directory");

    first.killHard();

    var second = agents.get("n2");
    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
    var leader = leader(second);
    soon(
        () ->
            assertThat(second.complaint(configuration(second), "ConfigInForce"))
                .contains("the leader " + leader, "read from n1: scheduler"));
    soon(() -> assertThat(second.vw("status").text()).contains("is not taken from the leader"));
    var replay = second.vw("schedule", "replay", schedule);
    assertThat(replay.code()).as(replay.text()).isZero();
    assertThat(word(second, "n2")).isEqualTo("first");
    assertThat(configuration(second).at("/status/node").asText()).isEqualTo("n1");

    var accepted = agents.get("n3").vw("config", "accept", leader);
    assertThat(accepted.code()).as(accepted.text()).isZero();

    for (var name : List.of("n2", "n3")) {
      soon(() -> assertThat(word(agents.get(name), name)).isEqualTo("second"));
    }
    assertThat(configuration(second).at("/status/node").asText()).isEqualTo(leader);
    soon(() -> assertThat(second.complaint(configuration(second), "ConfigInForce")).isEmpty());
  }

  /** What a follower says about the whole cluster, and what it does to all nodes. */
  private void checkAnswersOfFollower(LaunchedAgent leader, LaunchedAgent follower)
      throws Exception {
    assertThat(names(follower.json("/v1/peers"))).containsExactlyInAnyOrder("n1", "n3");
    assertThat(follower.json("/v1/status").path("peers").asInt()).isEqualTo(2);
    assertThat(follower.json("/v1/status").at("/leader/id").asText()).endsWith("1");
    var election = follower.json("/v1/election");
    assertThat(election.path("is_leader").asBoolean(true)).isFalse();
    assertThat(election.path("leader").asText()).endsWith("1");
    soon(
        () ->
            assertThat(names(follower.json("/v1/metrics").path("nodes")))
                .containsExactlyInAnyOrder("n1", "n2", "n3"));
    // The first sample of a process is a few seconds old when it is shown.
    soon(() -> assertThat(follower.vw("top", "processes").text()).contains("n1", "n2", "n3"));
    assertThat(follower.vw("get", "events").text()).contains("app@n1", "app@n2", "app@n3");
    soon(
        () ->
            assertThat(fieldNames(follower.json("/v1/scheduler_input").path("metrics")))
                .hasSize(3));
    watchManyTimes(follower);
    int port = URI.create(leader.url()).getPort();
    assertThat(location(follower)).isEqualTo("http://n1:" + port + "/");

    for (int node = 1; node <= 3; node++) {
      Files.delete(rendered(node));
    }
    assertThat(follower.text("/v1/force_render_all")).contains("ok");
    for (int node = 1; node <= 3; node++) {
      var marker = rendered(node);
      soon(() -> assertThat(marker).exists());
    }
  }

  /** A file that a command of the template creates at each rendering. */
  private Path rendered(int node) {
    return sites.get("n" + node).config().resolve(".rendered");
  }

  /** Opens more watches than a client usually has connections; each is forwarded. */
  private static void watchManyTimes(LaunchedAgent follower) throws Exception {
    var path = "/apis/verwalter.io/v1/roleinstances?watch=true";
    var request = HttpRequest.newBuilder(URI.create(follower.url() + path)).build();
    var streams = new ArrayList<InputStream>();
    try {
      for (int watch = 0; watch < 8; watch++) {
        streams.add(
            HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .get(20, TimeUnit.SECONDS)
                .body());
      }
      assertThat(follower.objects("roleinstances")).hasSize(3);
    } finally {
      for (var stream : streams) {
        stream.close();
      }
    }
  }

  private static String location(LaunchedAgent agent) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(agent.url() + "/v1/leader-redirect-by-node-name"));
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.discarding())
        .headers()
        .firstValue("Location")
        .orElse("");
  }

  private static List<String> names(JsonNode nodes) {
    return StreamSupport.stream(nodes.spliterator(), false)
        .map(each -> each.path("name").asText())
        .toList();
  }

  private static List<String> fieldNames(JsonNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
