package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.FaultyCluster.soon;

import java.io.IOException;
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
 * The example {@code front} on three nodes under load. The proxies of two nodes get requests. They
 * send each to one server of any node only and repeat none, so that a request is lost when a list
 * has a server that does not answer.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterFrontTest {
  private static final Pattern SERVER = Pattern.compile("server ([0-9.]+:\\d+) .*");
  private static final int PROXY = 11160;
  private static final List<Integer> ASKED = List.of(1, 3);

  @TempDir private Path root;
  private FaultyNetwork network;
  private final List<FaultyNode> nodes = new ArrayList<>();
  private final List<SteadyLoad> load = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    FaultyNetwork.assumePossible();
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    network = FaultyNetwork.of(3, root);
    network.connectThisMachine();
    for (int number = 1; number <= 3; number++) {
      var node = FaultyNode.ofExample(network, number, root.resolve("n" + number), "front");
      var template = "templates/proxy/nginx.conf.j2";
      node.site()
          .write(
              template,
              node.site()
                  .read(template)
                  .replace("proxy_next_upstream error timeout", "proxy_next_upstream off")
                  .replace("listen 127.0.0.1:", "listen 0.0.0.0:"));
      nodes.add(node);
    }
    serve("one", true);
    form();
    awaitServers(3, "v1");
    for (int number : ASKED) {
      var proxy = new InetSocketAddress(FaultyNetwork.address(number), PROXY);
      soon(() -> assertThat(SteadyLoad.once(proxy).text()).isEqualTo("one"));
      for (int client = 0; client < 2; client++) {
        load.add(SteadyLoad.on(proxy));
      }
    }
  }

  private void form() throws Exception {
    var first = nodes.get(0);
    first.found();
    first.start();
    first.awaitAnswer();
    soon(() -> assertThat(first.leader()).isPresent());
    var token = first.token(2);
    for (var node : nodes.subList(1, 3)) {
      node.join(first, token);
      node.awaitAnswer();
    }
  }

  @AfterEach
  void stop() throws Exception {
    load.forEach(SteadyLoad::close);
    if (network != null) {
      network.close();
    }
  }

  /** Writes the file of the service on all nodes, with a directory that has this text. */
  private void serve(String text, boolean works) throws IOException {
    var directory = Files.createDirectories(root.resolve("pages").resolve(text));
    if (works) {
      Files.writeString(directory.resolve("index.html"), text);
    }
    for (var node : nodes) {
      node.site()
          .write(
              "roles/shop.yaml",
              node.site()
                  .read("roles/shop.yaml")
                  .replace("--bind, 127.0.0.1", "--bind, 0.0.0.0")
                  .replaceAll("directory: .*", "directory: " + directory)
                  .replaceAll("http: /.*}", "http: /index.html}")
                  .replaceAll("update: .*", "update: {ready-for: 1s, deadline: 10s}"));
    }
  }

  /** The servers of the list of a node's nginx that get requests. */
  private static Set<String> servers(FaultyNode node) throws IOException {
    var config = node.site().config().resolve("lithos/files/proxy/nginx.conf");
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
          for (int number : ASKED) {
            assertThat(servers(nodes.get(number - 1))).as("node %d", number).hasSize(count);
          }
          var instances = nodes.get(0).client().objects("roleinstances");
          assertThat(instances)
              .filteredOn(each -> each.at("/spec/role").asText().equals("shop"))
              .isNotEmpty()
              .allSatisfy(
                  each ->
                      assertThat(each.at("/spec/variables/active_version").asText())
                          .isEqualTo(version));
        });
  }

  private Set<String> texts() {
    return load.stream()
        .flatMap(each -> each.answers().stream())
        .map(SteadyLoad.Answer::text)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String vw(String... words) throws Exception {
    return nodes.get(0).vw(words);
  }

  private void assertNothingLost(String... pages) {
    assertThat(load).allSatisfy(each -> assertThat(each.outages(0)).isEmpty());
    assertThat(texts()).containsExactlyInAnyOrder(pages);
  }

  @Test
  void noRequestIsLostWhileTheServiceChangesAndANodeIsDrained() throws Exception {
    serve("two", true);
    awaitServers(3, "v2");
    soon(() -> assertThat(texts()).contains("two"));
    assertNothingLost("one", "two");

    vw("scale", "shop/web=6");
    awaitServers(6, "v2");
    vw("scale", "shop/web=3");
    awaitServers(3, "v2");
    assertNothingLost("one", "two");

    vw("rollout", "restart", "shop");
    vw("rollout", "status", "shop", "--timeout", "120s");
    awaitServers(3, "v3");
    assertNothingLost("one", "two");

    vw("rollout", "undo", "shop", "--to", "2");
    vw("rollout", "status", "shop", "--to", "2", "--timeout", "120s");
    awaitServers(3, "v2");
    assertNothingLost("one", "two");

    serve("bad", false);
    soon(() -> assertThat(vw("rollout", "history", "shop")).contains("failed"));
    awaitServers(3, "v2");
    assertNothingLost("one", "two");

    var drained = FaultyNetwork.address(2) + ":";
    soon(() -> assertThat(servers(nodes.get(0))).anyMatch(it -> it.startsWith(drained)));
    vw("drain", "n2", "--timeout", "120s");
    awaitServers(3, "v2");
    assertThat(servers(nodes.get(0))).noneMatch(it -> it.startsWith(drained));
    assertNothingLost("one", "two");

    vw("uncordon", "n2");
    vw("scale", "shop/web=6");
    awaitServers(6, "v2");
    assertNothingLost("one", "two");
    assertThat(load).allSatisfy(each -> assertThat(each.answers()).hasSizeGreaterThan(1_000));
  }
}
