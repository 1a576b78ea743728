package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.leader;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Three launched agents whose log is in a ZooKeeper server that they do not run. */
@Order(9)
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ExistingEnsembleTest {
  @TempDir private Path root;
  private LaunchedCluster cluster;
  private Process server;
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    try (var any = new ServerSocket(0)) {
      port = any.getLocalPort();
    }
    server = startServer();
    cluster =
        new LaunchedCluster(
            root,
            site -> {
              site.write("scheduler/v1/main.lua", ClusterTest.SCHEDULER);
              site.version("app", "v1", 2);
            });
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    server.destroyForcibly().waitFor();
  }

  private Process startServer() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.clientPortAddress=127.0.0.1",
            "-cp",
            System.getProperty("java.class.path"),
            "org.apache.zookeeper.server.ZooKeeperServerMain",
            Integer.toString(port),
            root.resolve("zookeeper").toString())
        .redirectErrorStream(true)
        .redirectOutput(root.resolve("zookeeper.log").toFile())
        .start();
  }

  @Test
  void nodesKeepTheirLogInAnEnsembleOfOthers() throws Exception {
    var first =
        cluster.startFirst("--store=zookeeper://127.0.0.1:%d/teams/verwalter".formatted(port));
    soon(() -> assertThat(pids(first)).hasSize(2));
    cluster.foundAndJoin();
    soon(() -> assertThat(pids(first)).hasSize(6));
    var processes = pids(first);
    for (var name : List.of("n1", "n2", "n3")) {
      assertThat(cluster.home(name).resolve("storage/cluster/zookeeper")).doesNotExist();
    }
    var second = cluster.agent("n2");
    assertThat(second.vw("cordon", "n3").code()).isZero();

    first.killHard();

    soon(() -> assertThat(leader(second)).isIn("n2", "n3"));
    assertThat(second.vw("uncordon", "n3").code()).isZero();
    first.startAgain();
    soon(() -> assertThat(leader(first)).isEqualTo(leader(second)).isNotEmpty());

    server.destroyForcibly().waitFor();

    soon(() -> assertThat(leader(second)).isEmpty());
    var refused = second.vw("cordon", "n1");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.text()).contains("there is no leader");
    assertThat(processes.values()).allMatch(Processes::alive);

    server = startServer();

    soon(() -> assertThat(second.vw("cordon", "n1").code()).isZero());
    soon(() -> assertThat(pids(second)).isEqualTo(processes));
    assertThat(processes.values()).allMatch(Processes::alive);
  }
}
