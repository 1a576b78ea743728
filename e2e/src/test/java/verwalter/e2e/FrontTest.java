package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example {@code front} under load: nginx sends each request to one server only and repeats
 * none, so that a request is lost when the list has a server that does not answer.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class FrontTest {
  private static final Pattern SERVER = Pattern.compile("server 127\\.0\\.0\\.1:(\\d+) .*");
  private static final int PROXY = 11160;
  private static final int CLIENTS = 4;

  @TempDir private Path root;
  private LaunchedAgent agent;
  private final List<SteadyLoad> load = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    var site = Site.copyOf(LaunchedAgent.HOME.resolve("examples/front"), root);
    var template = "templates/proxy/nginx.conf.j2";
    site.write(
        template,
        site.read(template)
            .replace("proxy_next_upstream error timeout", "proxy_next_upstream off"));
    agent = LaunchedAgent.start(root, site);
    serve("one", true);
    awaitServers(3, "v2");
    var proxy = new InetSocketAddress(InetAddress.getLoopbackAddress(), PROXY);
    soon(() -> assertThat(SteadyLoad.once(proxy).text()).isEqualTo("one"));
    for (int client = 0; client < CLIENTS; client++) {
      load.add(SteadyLoad.on(proxy));
    }
  }

  @AfterEach
  void stop() throws Exception {
    load.forEach(SteadyLoad::close);
    agent.close();
  }

  /** Writes the file of the service with a directory that has this text. */
  private void serve(String text, boolean works) throws IOException {
    var directory = Files.createDirectories(root.resolve("pages").resolve(text));
    if (works) {
      Files.writeString(directory.resolve("index.html"), text);
    }
    var site = agent.site();
    site.write(
        "roles/shop.yaml",
        site.read("roles/shop.yaml")
            .replaceAll("directory: .*", "directory: " + directory)
            .replaceAll("http: /.*}", "http: /index.html}")
            .replaceAll("update: .*", "update: {ready-for: 1s, deadline: 8s}"));
  }

  /** The ports in the list of nginx that get requests. */
  private Set<String> servers() throws IOException {
    var config = agent.site().config().resolve("lithos/files/proxy/nginx.conf");
    assertThat(config).exists();
    return SERVER
        .matcher(Files.readString(config))
        .results()
        .filter(found -> !found.group().contains(" down"))
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void awaitServers(int count, String version) {
    soon(
        () -> {
          assertThat(servers()).hasSize(count);
          assertThat(agent.pids("shop")).hasSize(count);
          var active =
              agent.object("roleinstances", "shop@alone").at("/spec/variables/active_version");
          assertThat(active.asText()).isEqualTo(version);
        });
  }

  private Set<String> texts() {
    return load.stream()
        .flatMap(each -> each.answers().stream())
        .map(SteadyLoad.Answer::text)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void vw(String... command) throws Exception {
    var done = agent.vw(command);
    assertThat(done.code()).as(done.text()).isZero();
  }

  private void assertNothingLost(String... pages) {
    assertThat(load).allSatisfy(each -> assertThat(each.outages(0)).isEmpty());
    assertThat(texts()).containsExactlyInAnyOrder(pages);
  }

  @Test
  void noRequestIsLostWhileTheServiceChanges() throws Exception {
    var nginx = agent.pids("proxy");

    serve("two", true);
    awaitServers(3, "v3");
    soon(() -> assertThat(texts()).contains("two"));
    assertNothingLost("one", "two");

    vw("scale", "shop/web=5");
    awaitServers(5, "v3");
    vw("scale", "shop/web=2");
    awaitServers(2, "v3");
    vw("scale", "shop/web=3");
    awaitServers(3, "v3");
    assertNothingLost("one", "two");

    var before = agent.pids("shop");
    vw("rollout", "restart", "shop");
    vw("rollout", "status", "shop", "--timeout", "90s");
    awaitServers(3, "v4");
    assertThat(agent.pids("shop").values()).doesNotContainAnyElementsOf(before.values());
    assertNothingLost("one", "two");

    vw("rollout", "undo", "shop", "--to", "2");
    vw("rollout", "status", "shop", "--to", "2", "--timeout", "90s");
    awaitServers(3, "v2");
    assertNothingLost("one", "two");

    serve("bad", false);
    soon(() -> assertThat(agent.vw("rollout", "history", "shop").text()).contains("failed"));
    awaitServers(3, "v2");
    assertNothingLost("one", "two");

    assertThat(agent.pids("proxy")).isEqualTo(nginx);
    assertThat(load).allSatisfy(each -> assertThat(each.answers()).hasSizeGreaterThan(1_000));
  }
}
