package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs of processes on three nodes.
 *
 * <p>Takes a minute, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterLogsTest {
  private static final String SERVICE =
      """
      processes:
        web:
          command: [/bin/sh, -c, "echo this is ${node}; exec sleep 86400"]
          per-node: 1
      """;

  @TempDir private Path root;
  private LaunchedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = LaunchedCluster.ofService(3, root, "shop", SERVICE);
  }

  @AfterEach
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void anyNodePrintsTheLogsOfAllAndSaysWhichCannotBeAsked() throws Exception {
    for (var name : new String[] {"n1", "n2", "n3"}) {
      soon(
          () ->
              assertThat(cluster.agent(name).vw("logs", "shop").text())
                  .contains(
                      "shop/web.0@n1 | this is n1",
                      "shop/web.0@n2 | this is n2",
                      "shop/web.0@n3 | this is n3"));
    }
    assertThat(cluster.agent("n1").vw("logs", "shop", "--node", "n2").text())
        .contains("this is n2")
        .doesNotContain("this is n1");
    cluster.agent("n3").killHard();
    var output = cluster.agent("n1").vw("logs", "shop");
    assertThat(output.text())
        .contains("this is n1", "this is n2", "error: node n3 cannot be asked");
    assertThat(output.code()).isEqualTo(1);
  }
}
