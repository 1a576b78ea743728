package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A launched agent uses no more memory, descriptors, threads and disk after many changes of
 * versions than after some hundreds, when its histories are full. Each change is a decision of the
 * scheduler, a rendering, and a process that is replaced. {@code -Dverwalter.endurance.changes}
 * makes more of them.
 *
 * <p>Takes a minute, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class EnduranceTest {
  private static final int CHANGES = Integer.getInteger("verwalter.endurance.changes", 700);

  /** Roles that change together, since changed files are read together. */
  private static final int ROLES = 20;

  private static final int SAMPLE_EVERY = 40;

  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  /**
   * The use of resources.
   *
   * @param changes the number of changes before
   * @param heap bytes of live objects
   * @param disk bytes of the agent's own files
   */
  private record Use(int changes, long heap, long descriptors, long threads, long disk) {}

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    for (int role = 0; role < ROLES; role++) {
      site.version("app" + role, "v1", 1);
    }
    // The history of the store takes a sixteenth of the heap: a small one is full soon.
    agent =
        LaunchedAgent.startIn(
            Map.of("VERWALTER_JAVA_OPTS", "-Xmx64m"),
            root,
            site,
            "--decisions-kept=10",
            "--log-megabytes=1");
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  @Test
  void useOfResourcesStaysFlat() throws Exception {
    var uses = new ArrayList<Use>();
    for (int done = 0; done < CHANGES; ) {
      change(done / ROLES);
      done += ROLES;
      if (done % SAMPLE_EVERY == 0) {
        uses.add(use(done));
      }
    }

    var middle = between(uses, CHANGES * 3L / 10, CHANGES * 5L / 10);
    var last = between(uses, CHANGES * 8L / 10, CHANGES);
    var all = String.join("\n", uses.stream().map(Use::toString).toList());
    if (CHANGES > 700) {
      System.out.println(all);
    }
    assertThat(median(last, Use::heap)).as(all).isLessThan(median(middle, Use::heap) * 11 / 10);
    assertThat(median(last, Use::descriptors))
        .as(all)
        .isLessThanOrEqualTo(median(middle, Use::descriptors) + 5);
    assertThat(median(last, Use::threads))
        .as(all)
        .isLessThanOrEqualTo(median(middle, Use::threads) + 5);
    assertThat(median(last, Use::disk)).as(all).isLessThan(200L << 20);
  }

  private static List<Use> between(List<Use> uses, long after, long until) {
    return uses.stream().filter(it -> it.changes() > after && it.changes() <= until).toList();
  }

  private static long median(List<Use> uses, ToLongFunction<Use> figure) {
    return uses.stream().mapToLong(figure).sorted().toArray()[uses.size() / 2];
  }

  /** Replaces the version of all roles, and waits until it runs everywhere. */
  private void change(int round) throws IOException {
    var before = round == 0 ? "v1" : version(round - 1);
    for (int role = 0; role < ROLES; role++) {
      var name = "app" + role;
      site.count(name, version(round), name + "-v1", 1);
      Files.delete(site.config().resolve("runtime/" + name + "/" + before + ".yaml"));
    }
    await()
        .alias("round " + round)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> IntStream.range(0, ROLES).allMatch(role -> runs(role, version(round))));
  }

  private static String version(int round) {
    return "v2%05d".formatted(round);
  }

  private boolean runs(int role, String version) {
    try {
      var file = site.outputOf("app" + role);
      return Files.exists(file) && Files.readString(file).startsWith("version=" + version + "\n");
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private Use use(int changes) throws IOException, InterruptedException {
    for (int role = 0; role < ROLES; role++) {
      agent.awaitRunning("app" + role, 1);
    }
    return new Use(
        changes,
        liveHeap(),
        entries(Path.of("/proc/" + agent.pid() + "/fd")),
        entries(Path.of("/proc/" + agent.pid() + "/task")),
        size(root.resolve("storage")) + size(root.resolve("log")));
  }

  /** The bytes of the objects that are left by a full collection. */
  private long liveHeap() throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var process = new ProcessBuilder(jcmd, "" + agent.pid(), "GC.class_histogram").start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    var total = TOTAL.matcher(text);
    assertThat(total.find()).as(text).isTrue();
    return Long.parseLong(total.group(1));
  }

  private static long entries(Path directory) throws IOException {
    try (var all = Files.list(directory)) {
      return all.count();
    }
  }

  private static long size(Path directory) throws IOException {
    long sum = 0;
    try (var all = Files.walk(directory)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        try {
          sum += Files.size(file);
        } catch (NoSuchFileException removedMeanwhile) {
          // counts nothing
        }
      }
    }
    return sum;
  }
}
