package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rendered files of a service, with the launcher and real processes. */
class ServiceFilesTest {
  /** Copies its file to its output, and again when it is asked to. */
  private static final String SERVICE =
      """
      processes:
        job:
          command: [sh, -c, 'id -u; cat "$$1"; exec sleep 86400', sh, "${files}/etc/shop.ini"]
          ports: {http: 24710-24719}
          stop-timeout: 1s
      update: {ready-for: 1s}
      files: [{template: shop.ini.j2, to: etc/shop.ini}]
      """;

  private static final String TEMPLATE =
      "%s on {{ node }} at {%% for it in processes.job %%}{{ it.ports.http }}{%% endfor %%}\n";

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = LaunchedAgent.startForServices(root);
    site = agent.site();
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private String output() throws IOException, InterruptedException {
    return agent.vw("logs", "shop").text();
  }

  private Path file() {
    return Path.of(
        agent.object("templateoutputs", "shop@alone").at("/status/files/0/path").asText());
  }

  @Test
  void aTemplateIsAFileOfTheProcessAndItsChangeARevision() throws Exception {
    site.write("roles/shop/shop.ini.j2", TEMPLATE.formatted("one"));
    site.write("roles/shop.yaml", SERVICE);
    soon(() -> assertThat(output()).contains("one on alone at 24710"));
    var first = agent.awaitRunning("shop", 1);
    assertThat(output()).contains("root".equals(System.getProperty("user.name")) ? "65534" : "");
    var written = file();
    Files.writeString(written, "by hand");
    soon(() -> assertThat(written).hasContent("one on alone at 24710"));

    site.write("roles/shop/shop.ini.j2", "{{ nod }}\n");
    soon(() -> assertThat(agent.vw("status").text()).contains("roles/shop/shop.ini.j2:1:"));
    assertThat(agent.pids("shop")).isEqualTo(first);

    site.write("roles/shop/shop.ini.j2", TEMPLATE.formatted("two"));
    soon(() -> assertThat(output()).contains("two on alone at 24710"));
    soon(() -> assertThat(agent.vw("get", "rollouts").text()).contains("v3"));
    assertThat(file()).isNotEqualTo(written);

    Files.delete(site.config().resolve("roles/shop.yaml"));
    soon(() -> assertThat(root.resolve("storage/services/shop")).doesNotExist());
  }
}
