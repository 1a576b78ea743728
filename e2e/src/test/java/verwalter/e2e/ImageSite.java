package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.core.ThrowingRunnable;

/** A configuration whose versions have images, which an {@link ArchiveServer} serves. */
final class ImageSite {
  private static final String PROCESSES =
      """
      worker:
        kind: Daemon
        image: "{{ release.image }}"
        config: /config/worker.yaml
        instances: {{ count }}
      """;

  private static final String SANDBOX =
      """
      image-dir: %s
      image-dir-levels: 2
      allow-tcp-ports: [1024-65535]
      allow-users: [0-65534]
      allow-groups: [0-65534]
      default-user: 0
      """;

  private static final String JOURNALED =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["journal.sh", "%s"]
      workdir: /app
      restart-timeout: 1
      kill-timeout: 2
      """;

  private final Path root;
  private final Site site;
  private final ArchiveServer server;

  private ImageSite(Path root, Site site, ArchiveServer server) {
    this.root = root;
    this.site = site;
    this.server = server;
  }

  /** Writes a configuration without roles below {@code root}. */
  static ImageSite in(Path root, ArchiveServer server) throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    var site = Site.in(root);
    site.write("templates/app/v1/processes.yaml.j2", PROCESSES);
    return new ImageSite(root, site, server);
  }

  Site site() {
    return site;
  }

  /** Allows a role to run its images. */
  void role(String role) throws IOException {
    site.write("runtime/" + role + "/settings.yaml", "out: " + root.resolve("out") + "\n");
    site.write("lithos/sandboxes/" + role + ".yaml", SANDBOX.formatted(releaseDirectory()));
  }

  /** Serves the archive of a version, and then adds the version. */
  void version(String role, String version, int count, Map<String, String> files)
      throws IOException {
    wanted(role, version, count, archive(version), server.add(archive(version), files));
  }

  /** Adds a version whose archive may be served or not. */
  void wanted(String role, String version, int count, String archive, String sha256)
      throws IOException {
    site.write(
        "runtime/" + role + "/" + version + ".yaml",
        "count: %d\nimage: {url: \"%s\", sha256: \"%s\"}\n"
            .formatted(count, server.url(archive), sha256));
  }

  /** The name of the archive of a version at the server. */
  static String archive(String version) {
    return version + ".tar.gz";
  }

  /** The files of an image whose processes keep a journal. */
  static Map<String, String> journaled(ProcessJournal journal) {
    return Map.of(
        "config/worker.yaml",
        JOURNALED.formatted(journal.file()),
        "app/journal.sh",
        ProcessJournal.PROGRAM);
  }

  /** A text of about {@code bytes} that cannot be compressed much; always the same. */
  static String ballast(int bytes) {
    var random = new Random(bytes);
    var text = new StringBuilder(bytes);
    while (text.length() < bytes) {
      text.append((char) ('!' + random.nextInt(90)));
    }
    return text.toString();
  }

  private Path releaseDirectory() {
    return root.resolve("storage/releases");
  }

  /** The directories of releases on the disk, also of those that are being made or removed. */
  List<Path> releases() throws IOException {
    return entries(releaseDirectory());
  }

  /** The files of archives on the disk, also of those that are being downloaded. */
  List<Path> archives() throws IOException {
    return entries(root.resolve("storage/artifacts"));
  }

  /** The first bytes of archives whose download has not ended. */
  List<Path> partial() throws IOException {
    return archives().stream()
        .filter(file -> file.getFileName().toString().startsWith(".part-"))
        .toList();
  }

  private static List<Path> entries(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (var all = Files.list(directory)) {
      return all.sorted().toList();
    }
  }

  /** Waits until a role runs a version, and nothing of it is being replaced. */
  static void awaitVersion(LaunchedAgent agent, String role, String version, int count) {
    soon(
        () -> {
          var status = agent.object("roleinstances", role + "@alone").path("status");
          assertThat(status.path("version").asText()).isEqualTo(version);
          assertThat(status.path("state").asText()).isEqualTo("RUNNING");
          assertThat(status.has("replacement")).isFalse();
          assertThat(versions(agent, role)).hasSize(count).containsOnly(version);
        });
  }

  /** The version of each process, by its working directory. */
  static List<String> versions(LaunchedAgent agent, String role) throws IOException {
    var versions = new ArrayList<String>();
    for (var pid : agent.pids(role).values()) {
      var files = Path.of("/proc/" + pid + "/cwd").toRealPath();
      versions.add(files.toString().replaceAll(".*%40(v\\d+)%40.*", "$1"));
    }
    return versions;
  }

  /** The reason of a role's instance. */
  static String reason(LaunchedAgent agent, String role) {
    return agent.object("roleinstances", role + "@alone").path("status").path("reason").asText();
  }

  /** Repeats a claim for up to a minute. */
  static void soon(ThrowingRunnable claim) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).untilAsserted(claim);
  }
}
