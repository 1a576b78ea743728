package verwalter.e2e;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs every command of the documentation in order: those of the README with its demo, and those of
 * other pages with the demo of the full way, while both demos run.
 */
@Order(1)
@ResourceLock("the ports of the demo")
class DocumentationTest {
  /** Commands that are not run, each with the reason. */
  private static final Map<String, String> LEFT_OUT =
      Map.ofEntries(
          entry("./verwalter demo", "this test starts it, with a directory of its own"),
          entry("verwalter demo --example=hello", "this test starts it, in a directory of its own"),
          entry("./check", "runs all tests, this one among them"),
          entry("./check -pl render -am", "runs Maven amid Maven"),
          entry("./check mutants", "takes an hour"),
          entry("./check mutants supervisor/embedded", "runs Maven amid Maven"),
          entry(
              "./check mutants controllers -Dmutants.classes='verwalter.controllers.instance.*'",
              "runs Maven amid Maven"),
          entry("bin/reference", "runs Maven amid Maven; ReferenceTest does the same"),
          entry("bin/sbom", "runs Maven amid Maven; SbomTest runs it"),
          entry(
              "verwalter --config-dir=/etc/verwalter",
              "needs /etc/verwalter; LaunchedAgentTest starts agents from directories of its own"));

  private static final String README = "README.md";

  /** Commands that run until Ctrl-C are interrupted after this many seconds. */
  private static final int ENDLESS_SECONDS = 3;

  private static final Pattern ENDLESS = Pattern.compile(".* (--watch|-w)\\b.*|vw logs .* -f\\b.*");

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Pattern PID = Pattern.compile("hello/web-0\\.0 +RUNNING +pid (\\d+)");

  private static final List<String> PROGRAMS = List.of("vw", "verwalter", "verwalter_render");

  @TempDir private Path root;

  /** Replaces the port that a page uses for an agent. */
  private int own;

  private RunningDemo first;
  private RunningDemo hello;

  @Test
  void everyCommandInTheDocumentationWorks() throws Exception {
    var pages = pages();
    var known = new HashSet<String>();
    for (var page : pages) {
      DocumentedCommands.of(LaunchedAgent.HOME, page).forEach(it -> known.add(it.text()));
    }
    assertThat(known).as("commands that are left out").containsAll(LEFT_OUT.keySet());

    own = freePort();
    first = RunningDemo.start(root);
    hello = RunningDemo.startHello(root.resolve("hello"));
    try {
      first.awaitRunning();
      hello.awaitRunning();
      assertThat(first.server()).isNotEqualTo(hello.server());
      var failures = new ArrayList<String>();
      for (var page : pages) {
        try (var bash = new Bash(directoryFor(page), environment(page))) {
          for (var command : DocumentedCommands.of(LaunchedAgent.HOME, page)) {
            if (!type(bash, command, failures)) {
              break; // the shell still runs it, and would run no other
            }
          }
        }
        if (page.equals(README)) {
          assertUntouched(hello);
        }
      }
      assertThat(failures).isEmpty();
    } finally {
      first.stop();
      hello.stop();
      Processes.endAllBelow(root);
      for (var name : PROGRAMS) {
        Files.deleteIfExists(root.resolve("bin").resolve(name));
      }
    }
  }

  private static void assertUntouched(RunningDemo demo) throws Exception {
    assertThat(demo.get(demo.server() + "/apis/verwalter.io/v1/events"))
        .contains("\"items\":[")
        .doesNotContain("exited");
    for (int i = 0; i < RunningDemo.WEB_SERVERS; i++) {
      assertThat(demo.get(demo.web(i))).contains("version v1");
    }
  }

  private static List<String> pages() throws IOException {
    var pages = new ArrayList<>(List.of(README, "CONTRIBUTING.md"));
    for (var directory : List.of("docs/guide", "docs/reference")) {
      try (var files = Files.list(LaunchedAgent.HOME.resolve(directory))) {
        files
            .map(file -> directory + "/" + file.getFileName())
            .filter(file -> file.endsWith(".md"))
            .sorted()
            .forEach(pages::add);
      }
    }
    return pages;
  }

  /** Types a command. Returns whether it has ended. */
  private boolean type(Bash bash, DocumentedCommands.Command command, List<String> failures)
      throws Exception {
    if (LEFT_OUT.containsKey(command.text())) {
      return true;
    }
    boolean endless = ENDLESS.matcher(command.text()).matches();
    var line = command.text().replace("http://127.0.0.1:8379", hello.server());
    line = line.replace("8380", "" + own).replaceAll("\\bPID\\b", pid());
    line = endless ? "timeout -s INT " + ENDLESS_SECONDS + " " + line : line;
    var ending = bash.type(line, LIMIT);
    if (ending.code() != (endless ? 124 : 0)) {
      failures.add(
          "\n%s\nends with %d and says\n%s".formatted(command, ending.code(), ending.text()));
    }
    return ending.code() >= 0;
  }

  private static int freePort() throws IOException {
    try (var any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  /** Replaces {@code PID} in the documentation: the newest process of the name. */
  private String pid() throws IOException {
    return PID.matcher(first.output())
        .results()
        .map(pid -> pid.group(1))
        .reduce((earlier, later) -> later)
        .orElse("PID");
  }

  /** The working directory: the clone for the README, and a temporary one for other pages. */
  private Path directoryFor(String page) throws IOException {
    return page.startsWith("docs/")
        ? Files.createDirectories(root.resolve("elsewhere").resolve(page))
        : LaunchedAgent.HOME;
  }

  /**
   * The environment, with the commands in the path and a temporary home. The README sets the
   * address of the agent by itself.
   */
  private Map<String, String> environment(String page) throws IOException {
    var bin = Files.createDirectories(root.resolve("bin"));
    for (var name : PROGRAMS) {
      var link = bin.resolve(name);
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, LaunchedAgent.HOME.resolve(name));
      }
    }
    var environment = new HashMap<String, String>();
    environment.put("PATH", bin + ":" + System.getenv("PATH"));
    environment.put("HOME", root.resolve("home").toString());
    environment.put("XDG_STATE_HOME", root.toString());
    if (!page.equals(README)) {
      environment.put("VERWALTER_SERVER", hello.server());
    }
    environment.put("EDITOR", "true");
    environment.put("VISUAL", "");
    return environment;
  }
}
