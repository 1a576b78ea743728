package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports of demos, with real sockets. Other programs may use any of them. */
class DemoPortsTest {
  @TempDir private Path root;

  private Path copy(String name) throws IOException {
    var config = root.resolve(name);
    Files.createDirectories(config.resolve("lithos/images/hello-v1/app"));
    Files.createDirectories(config.resolve("runtime/hello"));
    Files.writeString(list(config), "# Ports.\n[\"10081-10099\"]\n");
    return config;
  }

  private static Path list(Path config) {
    return config.resolve("runtime/hello/ports.yaml");
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  /** A demo that is started again needs its ports; an example that runs beside it has others. */
  @Test
  void noOtherExampleUsesThePortsOfDemos() throws Exception {
    var ports = Pattern.compile("(?m)^(?:allow-tcp-ports|ports): \\[\"?(\\d+)(?:-(\\d+))?\"?\\]");
    var found = 0;
    for (var file : files(Path.of("../examples"))) {
      for (var range : ports.matcher(Files.readString(file)).results().toList()) {
        found++;
        assertThat(DemoPorts.blocks())
            .as("%s: %s", file, range.group())
            .noneMatch(block -> overlaps(block, range));
      }
    }
    assertThat(found).isGreaterThan(5);
  }

  private static List<Path> files(Path examples) throws IOException {
    try (var walk = Files.walk(examples)) {
      return walk.filter(file -> file.toString().endsWith(".yaml"))
          .filter(
              file ->
                  Stream.of(Example.values())
                      .noneMatch(demo -> file.startsWith(examples.resolve(demo.label()))))
          .toList();
    }
  }

  private static boolean overlaps(int block, MatchResult range) {
    int first = Integer.parseInt(range.group(1));
    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    return first < block + DemoPorts.BLOCK_SIZE && last >= block;
  }

  @Test
  void demosAtTheSameTimeHaveDifferentBlocks() throws Exception {
    var one = copy("one");
    var two = copy("two");
    try (var first = DemoPorts.claim(Example.HELLO, one);
        var second = DemoPorts.claim(Example.HELLO, two)) {
      assertThat(second.web()).isGreaterThanOrEqualTo(first.web() + 20);
      assertThat(list(two))
          .hasContent("# Ports.\n[\"%d-%d\"]".formatted(second.web(), second.web() + 18));
    }
  }

  @Test
  void anyTakenPortOfTheBlockLeadsToAnother() throws Exception {
    var config = copy("one");
    int before;
    try (var ports = DemoPorts.claim(Example.HELLO, config)) {
      before = ports.web();
    }
    try (var other = listen(before + 18);
        var ports = DemoPorts.claim(Example.HELLO, config)) {
      assertThat(other.isBound()).isTrue();
      assertThat(ports.web()).isNotEqualTo(before);
    }
  }

  @Test
  void keepsThePortsThatItsOwnProcessesUse() throws Exception {
    var config = copy("one");
    int before;
    try (var ports = DemoPorts.claim(Example.HELLO, config)) {
      before = ports.web();
    }
    var process =
        new ProcessBuilder("sleep", "60")
            .directory(config.resolve("lithos/images/hello-v1/app").toFile())
            .start();
    try (var used = listen(before);
        var ports = DemoPorts.claim(Example.HELLO, config)) {
      assertThat(used.isBound()).isTrue();
      assertThat(ports.web()).isEqualTo(before);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void writesThePortsIntoTheFileOfAService() throws Exception {
    var config = root.resolve("service");
    var file = Example.FIRST.portsFile(config);
    Files.createDirectories(file.getParent());
    var text = Files.readString(Path.of("../examples/first/roles/hello.yaml"));
    Files.writeString(file, text);
    try (var other = DemoPorts.claim(Example.HELLO, copy("other"));
        var ports = DemoPorts.claim(Example.FIRST, config)) {
      int first = ports.web();
      assertThat(first).isNotEqualTo(other.web());
      assertThat(file)
          .hasContent(text.replace("10081-10099", "%d-%d".formatted(first, first + 18)));
    }
  }

  @Test
  void aCopyOfAnotherExampleIsRefused() throws Exception {
    var config = copy("one");
    Example.HELLO.requireIn(config);
    assertThatThrownBy(() -> Example.FIRST.requireIn(config))
        .isInstanceOf(SetupFailed.class)
        .hasMessageEndingWith(
            "is a copy of the example hello, not first; start over with --fresh, or give another"
                + " --dir");
  }

  @Test
  void keepsAListThatWasEdited() throws Exception {
    var config = copy("one");
    Files.writeString(list(config), "[\"20000-20009\"]\n");
    try (var ports = DemoPorts.claim(Example.HELLO, config)) {
      assertThat(ports.web()).isEqualTo(20_000);
    }
    assertThat(list(config)).hasContent("[\"20000-20009\"]");
  }

  @Test
  void pagesOfDemosThatStartAtTheSameTimeHaveDifferentPorts() throws Exception {
    try (var first = DemoPorts.claim(Example.HELLO, copy("one"));
        var second = DemoPorts.claim(Example.HELLO, copy("two"))) {
      assertThat(first.http()).isNotEqualTo(second.http());
    }
  }

  @Test
  void thePageDoesNotGetATakenPort() throws Exception {
    try (var ports = DemoPorts.claim(Example.HELLO, copy("one"))) {
      int port = ports.http();
      try (var taken = listen(port)) {
        assertThat(ports.http()).isNotEqualTo(taken.getLocalPort()).isBetween(8379, 8499);
      }
    }
  }
}
