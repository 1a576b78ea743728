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
 * Commands beside processes of other nodes.
 *
 * <p>Takes a minute, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterExecTest {
  private static final String SERVICE =
      """
      processes:
        web:
          command: [/bin/sh, -c, "echo this is ${node}; exec sleep 86400"]
          per-node: 1
          env: {NODE_NAME: "${node}"}
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
  void anAdminOfOneNodeRunsCommandsOnOthers() throws Exception {
    var n1 = cluster.agent("n1");
    for (var name : new String[] {"n1", "n2", "n3"}) {
      soon(
          () -> {
            var output =
                n1.vwAsAdmin(
                    "exec",
                    "shop/web",
                    "--node",
                    name,
                    "--",
                    "sh",
                    "-c",
                    "echo $0 $NODE_NAME; exit 4",
                    "on");
            assertThat(output.text()).isEqualTo("on " + name + "\n");
            assertThat(output.code()).isEqualTo(4);
          });
    }
    assertThat(cluster.agent("n2").vwAsAdmin("audit").text())
        .contains("exec-end", "shop/web.0@n2 sh");
    assertThat(n1.vw("exec", "shop/web", "--node", "n2", "--", "id").text())
        .contains("you are anonymous");
    var large = n1.vwAsAdmin("exec", "shop", "--node", "n3", "--", "seq", "200000");
    assertThat(large.text()).hasSize(1_288_895).endsWith("200000\n");
  }
}
