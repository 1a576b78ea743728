package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Downloads that fail, that are slow and that nobody needs any more, with the launcher and a real
 * web server. Each test has roles of its own at the same agent.
 */
class ReleaseDownloadTest {
  private static final String CONTAINER =
      """
      kind: Daemon
      executable: /bin/sh
      arguments: ["-c", "exec sleep 86400", "%s"]
      kill-timeout: 2
      """;

  private static final int BALLAST = 300_000;

  @TempDir private static Path root;
  private static ArchiveServer server;
  private static ImageSite images;
  private static LaunchedAgent agent;

  @BeforeAll
  static void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    agent = LaunchedAgent.start(root, images.site());
  }

  @AfterAll
  static void stop() throws Exception {
    agent.close();
    server.close();
  }

  private static Map<String, String> files(String text) {
    return Map.of(
        "config/worker.yaml", CONTAINER.formatted(text), "ballast", ImageSite.ballast(BALLAST));
  }

  /** Makes a role that runs its first version. */
  private static Map<String, Long> role(String role) throws IOException {
    images.role(role);
    var archive = role + "1.tar.gz";
    images.wanted(role, "v1", 1, archive, server.add(archive, files(role + "1")));
    awaitVersion(agent, role, "v1", 1);
    return agent.pids(role);
  }

  /** The name of the archive of the second version. */
  private static String second(String role) {
    return role + "2.tar.gz";
  }

  private static void wantSecond(String role, String sha256) throws IOException {
    images.wanted(role, "v2", 1, second(role), sha256);
  }

  /** Why the second version of a role is not downloaded. */
  private static String trouble(String role) {
    return ImageSite.reason(agent, role).replaceFirst("^v2: downloading: ", "");
  }

  @Test
  void aMissingArchiveAWrongOneAndALostConnectionAreShownAndTriedAgain() throws Exception {
    var before = Map.of("missing", role("missing"), "wrong", role("wrong"), "half", role("half"));
    for (var role : before.keySet()) {
      var right = server.add(second(role), files(role + "2"));
      switch (role) {
        case "missing" -> server.remove(second(role));
        case "wrong" -> server.add(second(role), files("other"));
        default -> server.cut(second(role), 1);
      }
      wantSecond(role, right);
    }

    var again = "; next attempt at 20\\d\\d-.*Z";
    soon(() -> assertThat(trouble("missing")).matches("cannot download .*status 404" + again));
    soon(
        () ->
            assertThat(trouble("wrong"))
                .matches("cannot use .*: it is sha256:.* instead of sha256:.*" + again));
    int half = server.size(second("half")) / 2;
    soon(
        () ->
            assertThat(trouble("half"))
                .matches(
                    "cannot download .*ended after %d bytes of \\d+%s".formatted(half, again)));
    for (var role : before.keySet()) {
      assertThat(agent.pids(role)).isEqualTo(before.get(role));
      server.add(second(role), files(role + "2"));
    }

    for (var role : before.keySet()) {
      awaitVersion(agent, role, "v2", 1);
      assertThat(server.requests(second(role))).isEqualTo(2);
    }
    assertThat(server.starts(second("half"))).containsExactly(0, half);
  }

  @Test
  void theProgressOfASlowDownloadIsSeenAndTheOldVersionRunsMeanwhile() throws Exception {
    var before = role("slow");
    var sha256 = server.add(second("slow"), files("slow2"));
    server.throttle(second("slow"), 100_000);

    wantSecond("slow", sha256);

    soon(() -> assertThat(agent.vw("get", "dr").text()).containsPattern("slow@v2.*[1-9]\\d?%"));
    assertThat(agent.vw("get", "ri").text()).containsPattern("slow@alone .*Preparing");
    assertThat(agent.pids("slow")).isEqualTo(before);
    awaitVersion(agent, "slow", "v2", 1);
    assertThat(server.requests(second("slow"))).isEqualTo(1);
  }

  @Test
  void aRoleThatIsRemovedWhileItDownloadsLeavesNothing() throws Exception {
    var running = role("old");
    images.role("fresh");
    for (var role : List.of("old", "fresh")) {
      var sha256 = server.add(second(role), files(role + "2"));
      server.throttle(second(role), 20_000);
      wantSecond(role, sha256);
    }
    soon(() -> assertThat(server.sent(second("old"))).isPositive());
    soon(() -> assertThat(server.sent(second("fresh"))).isPositive());
    assertThat(images.partial()).hasSize(2);

    images.site().remove("runtime/old");
    images.site().remove("runtime/fresh");

    soon(
        () -> {
          assertThat(agent.vw("get", "ri,dr,art").text()).doesNotContain("old@", "fresh@");
          assertThat(images.partial()).isEmpty();
        });
    assertThat(running.values()).noneMatch(Processes::alive);
    for (var role : List.of("old", "fresh")) {
      soon(() -> assertThat(server.sending(second(role))).isZero());
      assertThat(server.sent(second(role))).isLessThan(server.size(second(role)));
    }
  }
}
