package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.readyNodes;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Tests three agents that form a cluster, each with a loopback address of its own. */
@Order(2)
class ClusterTest {
  /** Runs each role on all nodes, and counts how often it was given each action. */
  static final String SCHEDULER =
      LuaSchedulers.ON_ALL_NODES
          + """
      local function schedule(input)
        local roles, nodes = on_all_nodes(input, function(version)
          return {template = "app/v1", version = "v1", image = version.image, count = version.count}
        end)
        local handled = json.object{}
        for _, parent in ipairs(input.parents) do
          for id, count in pairs(parent.state.handled) do handled[id] = count end
        end
        for id in pairs(input.actions) do
          local key = "a" .. id
          handled[key] = (handled[key] or 0) + 1
        end
        return json.encode{roles = roles, nodes = nodes, state = json.object{handled = handled}}, ""
      end

      return {scheduler = schedule}
      """;

  /** An action with an id of the client's choice, so that it can be repeated. */
  private static final String ACTION =
      """
      apiVersion: verwalter.io/v1
      kind: Action
      metadata: {name: "77"}
      spec: {request: {button: {role: app, action: count}}, at: "2026-01-01T00:00:00Z"}
      """;

  @TempDir private Path root;
  private LaunchedCluster cluster;
  private Browser browser;

  @BeforeEach
  void prepare() throws IOException {
    cluster =
        new LaunchedCluster(
            root,
            site -> {
              site.write("scheduler/v1/main.lua", SCHEDULER);
              site.version("app", "v1", 2);
            });
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    cluster.close();
  }

  private static String handled(LaunchedAgent agent) {
    return agent.json("/v1/schedule").at("/data/state/handled").toString();
  }

  @EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
  @Test
  void anotherNodeLeadsWhenTheLeaderIsKilled() throws Exception {
    var first = cluster.startFirst();
    soon(() -> assertThat(pids(first)).hasSize(2));
    cluster.foundAndJoin();
    assertThat(leader(first)).isEqualTo("n1");
    soon(() -> assertThat(pids(first)).hasSize(6));
    var processes = pids(first);
    var second = cluster.agent("n2");
    assertThat(views(second)).contains("asked n2", "name n1", "leader n1", "side=majority");
    assertThat(second.vw("status").text()).contains("n1; asked n2").contains("side majority");
    browser = Browser.start(root.resolve("browser"));
    browser.open(second);
    soon(() -> assertThat(browser.text()).contains("verwalter on n2").contains("app@n1"));
    assertThat(second.text("/")).contains("<dt>Asked</dt><dd>n2</dd>").contains(answeredBy("n1"));
    var cordoned = second.vw("cordon", "n3");
    assertThat(cordoned.code()).as(cordoned.text()).isZero();
    var action = Files.writeString(root.resolve("action.yaml"), ACTION).toString();
    var sent = first.vw("apply", "-f", action);
    assertThat(sent.code()).as(sent.text()).isZero();

    first.killHard();

    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
    soon(() -> assertThat(second.vw("status").text()).contains("Node/n1: does not report"));
    soon(() -> assertThat(browser.text()).contains("does not report"));
    assertThat(processes.values()).allMatch(Processes::alive);
    for (var name : List.of("n2", "n3")) {
      var agent = cluster.agent(name);
      soon(() -> assertThat(agent.object("nodes", "n3").at("/spec/cordoned").asBoolean()).isTrue());
    }
    soon(() -> assertThat(second.vw("uncordon", "n3").code()).isZero());
    soon(() -> assertThat(second.vw("apply", "-f", action).code()).isZero());
    soon(() -> assertThat(handled(second)).isEqualTo("{\"a77\":1}"));

    first.startAgain();

    soon(
        () ->
            assertThat(first.object("nodes", "n3").at("/spec/cordoned").asBoolean(true)).isFalse());
    soon(() -> assertThat(pids(first)).isEqualTo(processes));
    assertThat(handled(second)).isEqualTo("{\"a77\":1}");
    assertThat(processes.values()).allMatch(Processes::alive);

    soon(() -> assertThat(browser.text()).doesNotContain("does not report"));
    assertThat(browser.isSamePage()).isTrue();
    browser.open(first);
    second.killHard();
    cluster.agent("n3").killHard();

    soon(
        () -> assertThat(views(first)).contains("asked n1", "leader ", "side=minority", "partial"));
    assertThat(first.vw("status").text())
        .contains("none; asked n1")
        .contains("only what runs on n1");
    soon(() -> assertThat(browser.text()).contains("knows no leader"));
    assertThat(first.text("/")).contains(answeredBy("n1"));
    assertThat(browser.isSamePage()).isTrue();
    var refused = first.vw("cordon", "n2");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.text()).contains("there is no leader");
    assertThat(processes.values()).allMatch(Processes::alive);
  }

  /** What the status of an agent says about who was asked, who answers, and what it shows. */
  private static List<String> views(LaunchedAgent agent) {
    var status = agent.json("/v1/status");
    var views = new ArrayList<>(List.of(status.path("view").asText().split(", ")));
    for (var field : List.of("asked", "name")) {
      views.add(field + " " + status.path(field).asText());
    }
    views.add("leader " + status.at("/leader/name").asText());
    return views;
  }

  private static String answeredBy(String node) {
    return "<dt>Answered by</dt><dd><strong>%s</strong></dd>".formatted(node);
  }

  @Test
  void theTwoCommandsOfTheReadmeMakeACluster() throws Exception {
    var first = cluster.startFirst();
    var commands = readme();
    assertThat(commands).hasSize(2).first().asString().startsWith("vw cluster init");
    var init =
        new ArrayList<>(
            List.of(commands.get(0).replace("10.0.0.1", cluster.address(1)).split(" ")));
    init.addAll(List.of("--credentials", root.toString()));
    var founded = first.vwAsAdmin(init.subList(1, init.size()).toArray(String[]::new));
    assertThat(founded.code()).as(founded.text() + first.log()).isZero();
    var token = Pattern.compile("verwalter join \\S+ --token (vwj1\\S+)").matcher(founded.text());
    assertThat(token.find()).as(founded.text()).isTrue();

    cluster.type(
        "n2",
        2,
        commands
            .get(1)
            .replace("10.0.0.1", cluster.address(1))
            .replace("10.0.0.2", cluster.address(2))
            .replace("vwj1.…", token.group(1)));

    for (var agent : cluster.agents()) {
      soon(() -> assertThat(readyNodes(agent)).containsExactly("n1", "n2"));
    }
  }

  /** The commands of the README that make two machines a cluster. */
  private static List<String> readme() throws IOException {
    var text = Files.readString(LaunchedAgent.HOME.resolve("README.md"));
    var section = text.substring(text.indexOf("\n## Two machines"));
    var block = section.substring(section.indexOf("```text\n") + "```text\n".length());
    return block.substring(0, block.indexOf("```")).lines().toList();
  }
}
