package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent is killed with SIGKILL at each durable write of an update of a role with an image: at
 * each call of the system that makes bytes or names durable. strace lists these calls, and holds
 * the thread that made one for a moment, in which the agent is killed.
 *
 * <p>Takes minutes and needs strace, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ReleaseKillTest {
  private static final String CALLS = "fsync,fdatasync,rename,renameat,renameat2";

  /** How long a thread is held after a call, in microseconds. */
  private static final int HELD = 30_000;

  /** The time without a call after which an update has ended, in nanoseconds. */
  private static final long QUIET = 10_000_000_000L;

  private static final String ROLE = "app";
  private static final int FIRST = 101;

  @TempDir private Path root;
  private ArchiveServer server;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;

  /** The number of the last version; all have three digits, since the site sorts them as texts. */
  private int version = FIRST - 1;

  @BeforeEach
  void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    journal = new ProcessJournal(root.resolve("journal"));
    images.role(ROLE);
    next();
    agent = LaunchedAgent.start(root, images.site());
    runs();
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  /** Schedules another version. */
  private void next() throws IOException {
    version++;
    images.version(ROLE, "v" + version, 1, ImageSite.journaled(journal));
  }

  /** Waits until the last version runs, and nothing of the one before is left. */
  private void runs() {
    awaitVersion(agent, ROLE, "v" + version, 1);
    soon(
        () -> {
          assertThat(images.releases()).hasSize(1);
          assertThat(images.partial()).isEmpty();
          assertThat(agent.objects("deploymentrefs")).hasSize(1);
        });
  }

  /** What strace has written about the calls of the agent. */
  private final class Trace implements AutoCloseable {
    private final Path file;
    private final Process strace;

    Trace(int number) throws IOException {
      file = root.resolve("strace-" + number);
      strace =
          new ProcessBuilder(
                  "strace",
                  "-f",
                  "-y",
                  "-e",
                  "trace=" + CALLS,
                  "-e",
                  "inject=%s:delay_exit=%d".formatted(CALLS, HELD),
                  "-o",
                  file.toString(),
                  "-p",
                  String.valueOf(agent.pid()))
              .redirectError(root.resolve("strace.err").toFile())
              .start();
      soon(() -> assertThat(Files.readString(root.resolve("strace.err"))).contains("attached"));
    }

    /** The calls that have ended. */
    List<String> calls() throws IOException {
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .filter(line -> line.contains(") = ") || line.contains("resumed>"))
              .toList()
          : List.of();
    }

    /** Waits for that many calls; false if there are none for ten seconds: the update has ended. */
    boolean awaitCall(int number) throws IOException {
      var seen = calls().size();
      long since = System.nanoTime();
      while (seen < number && System.nanoTime() - since < QUIET) {
        assertThat(strace.isAlive()).isTrue();
        Thread.onSpinWait();
        int now = calls().size();
        since = now > seen ? System.nanoTime() : since;
        seen = now;
      }
      return seen >= number;
    }

    @Override
    public void close() {
      strace.destroy();
      strace.onExit().join();
    }
  }

  @Test
  void anAgentThatIsKilledAtAnyDurableWriteOfAnUpdateFinishesIt() throws Exception {
    int calls;
    try (var trace = new Trace(0)) {
      next();
      runs();
      calls = trace.calls().size();
    }
    assertThat(calls).isGreaterThan(10);
    System.out.printf("an update has %d durable writes%n", calls);

    var killed = new ArrayList<Integer>();
    boolean ended = false;
    for (int number = 1; !ended; number++) {
      try (var trace = new Trace(number)) {
        next();
        ended = !trace.awaitCall(number);
        agent.killHard();
        killed.add(trace.calls().size());
      }
      agent.startAgain();
      runs();
      assertAlternate();
    }
    System.out.printf("killed after these numbers of durable writes: %s%n", killed);
    assertThat(killed.stream().distinct().count()).isGreaterThan(calls / 2);
  }

  /** Each version was started once, and only after the one before had ended on request. */
  private void assertAlternate() {
    var events = journal.lines().stream().map(ProcessJournal.Line::event).toList();
    var expected = new ArrayList<String>();
    for (int number = FIRST; number < version; number++) {
      expected.addAll(List.of("start", "TERM", "end"));
    }
    expected.add("start");
    assertThat(events).isEqualTo(expected);
  }
}
