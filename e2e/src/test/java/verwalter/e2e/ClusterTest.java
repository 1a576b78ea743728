package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three agents that form a cluster, each with a loopback address of its own. */
class ClusterTest {
  /** Runs each role on all nodes, and counts how often it was given each action. */
  private static final String SCHEDULER =
      """
      local json = require "verwalter/json"

      local function schedule(input)
        local roles, nodes = json.object{}, json.object{}
        local hosts = {[input.current_host] = true}
        for _, peer in pairs(input.peers) do
          hosts[peer.hostname] = true
        end
        for host in pairs(hosts) do
          nodes[host] = {roles = json.object{}}
        end
        for role, metadata in pairs(input.runtime) do
          roles[role] = json.object{}
          for host in pairs(hosts) do
            nodes[host].roles[role] = {
              template = "app/v1",
              version = "v1",
              image = metadata.v1.image,
              count = metadata.v1.count,
            }
          end
        end
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
    cluster.close();
  }

  private static String handled(LaunchedAgent agent) {
    return agent.json("/v1/schedule").at("/data/state/handled").toString();
  }

  @Test
  void anotherNodeLeadsWhenTheLeaderIsKilled() throws Exception {
    var first = cluster.startFirst();
    soon(() -> assertThat(pids(first)).hasSize(2));
    cluster.foundAndJoin();
    assertThat(leader(first)).isEqualTo("n1");
    soon(() -> assertThat(pids(first)).hasSize(6));
    var processes = pids(first);
    var second = cluster.agent("n2");
    var cordoned = second.vw("cordon", "n3");
    assertThat(cordoned.code()).as(cordoned.text()).isZero();
    var action = Files.writeString(root.resolve("action.yaml"), ACTION).toString();
    var sent = first.vw("apply", "-f", action);
    assertThat(sent.code()).as(sent.text()).isZero();

    first.killHard();

    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
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
  }
}
