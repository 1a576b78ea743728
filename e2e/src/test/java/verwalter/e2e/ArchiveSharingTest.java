package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.pids;
import static verwalter.e2e.LaunchedCluster.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three agents of which two get an archive from the others, with the launcher. */
class ArchiveSharingTest {
  private static final String ARCHIVE = "v1.tar.gz";
  private static final int TEXT = 2_000_000;

  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400"]
      kill-timeout: 2
      """;

  private static final String PROCESSES =
      """
      worker:
        kind: Daemon
        image: "{{ release.image }}"
        config: /config/worker.yaml
        instances: 1
      """;

  private static final String SANDBOX =
      """
      image-dir: %s
      image-dir-levels: 2
      allow-users: [0-65534]
      allow-groups: [0-65534]
      default-user: 0
      """;

  @TempDir private Path root;
  private ArchiveServer origin;
  private LaunchedCluster cluster;
  private String sha256;

  @BeforeEach
  void serve() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    origin = new ArchiveServer();
    var text = new StringBuilder();
    new Random(1).ints(TEXT, 'A', 'Z').forEach(it -> text.append((char) it));
    sha256 = origin.add(ARCHIVE, Map.of("config/worker.yaml", CONTAINER, "text", text.toString()));
    cluster = new LaunchedCluster(root, this::write);
  }

  private void write(Site site) throws IOException {
    site.write("scheduler/v1/main.lua", ClusterTest.SCHEDULER);
    site.write("templates/app/v1/processes.yaml.j2", PROCESSES);
    site.write(
        "lithos/sandboxes/app.yaml",
        SANDBOX.formatted(site.config().resolveSibling("storage/releases")));
    site.write("runtime/app/settings.yaml", "out: " + site.outputOf("app").getParent() + "\n");
    site.write(
        "runtime/app/v1.yaml",
        "count: 1\nout: %s\nimage: {url: \"%s\", sha256: \"%s\"}\n"
            .formatted(site.outputOf("app").getParent(), origin.url(ARCHIVE), sha256));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    origin.close();
  }

  @Test
  void theOriginIsAskedOnceAndTheOtherNodesGetTheArchiveFromEachOther() throws Exception {
    var first = cluster.startFirst();
    soon(() -> assertThat(pids(first)).hasSize(1));
    assertThat(origin.sent(ARCHIVE)).isEqualTo(origin.size(ARCHIVE));
    origin.close();

    cluster.foundAndJoin();

    soon(() -> assertThat(pids(first)).hasSize(3));
    for (var name : new String[] {"n1", "n2", "n3"}) {
      assertThat(cluster.home(name).resolve("storage/artifacts").resolve(sha256))
          .hasSize(origin.size(ARCHIVE));
      assertThat(pids(first)).containsKey("app@%s app/worker.0".formatted(name));
    }
    assertThat(origin.requests(ARCHIVE)).isEqualTo(1);
    assertThat(origin.sent(ARCHIVE)).isEqualTo(origin.size(ARCHIVE));
  }
}
