package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.TimedExecutor;

/** Uses real directories, events and time. */
class ConfigWatchTest {
  @TempDir Path parent;
  Path config;
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final TimedExecutor loop = new RealLoop(executor);
  private final List<ConfigChange> reports = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private ConfigWatch watch;

  private record RealLoop(ScheduledExecutorService executor) implements TimedExecutor {
    @Override
    public Instant now() {
      return Instant.now();
    }

    @Override
    public void execute(Runnable task) {
      executor.execute(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      var pending = executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
      return () -> pending.cancel(false);
    }
  }

  @BeforeEach
  void makeDirectories() throws IOException {
    config = parent.resolve("verwalter");
    for (var area : List.of("runtime/shop/v1", "templates/shop/v1", "scheduler/v1")) {
      Files.createDirectories(config.resolve(area));
    }
  }

  @AfterEach
  void stop() throws Exception {
    watch.close();
    executor.shutdownNow();
  }

  private final ConfigWatch.Listener listener =
      new ConfigWatch.Listener() {
        @Override
        public void changed(ConfigChange change) {
          reports.add(change);
        }

        @Override
        public void problem(String message) {
          problems.add(message);
        }
      };

  private Thread thread(Runnable task) {
    var thread = new Thread(task, "config-watch");
    threads.add(thread);
    return thread;
  }

  private void start() throws IOException {
    watch = ConfigWatch.start(config, loop, this::thread, listener);
    awaitFirst();
  }

  private void awaitFirst() {
    await().until(() -> !reports.isEmpty());
    assertThat(reports.get(0).everything()).isTrue();
    reports.clear();
  }

  private void awaitOnly(String... areas) {
    await().until(() -> !reports.isEmpty());
    assertThat(reports.get(0)).isEqualTo(new ConfigChange(Set.of(areas), false));
    reports.clear();
  }

  private void awaitEverything() {
    await().until(() -> reports.stream().anyMatch(ConfigChange::everything));
    settle();
    reports.clear();
  }

  /** Waits until all previous changes have been reported. */
  private void settle() {
    var last = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofMillis(600))
        .until(() -> last.getAndSet(reports.size()) == reports.size());
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void aBurstOfChangesIsReportedOnceWithItsAreas() throws Exception {
    start();
    for (int i = 0; i < 20; i++) {
      write(config.resolve("runtime/shop/v1/" + i + ".yaml"), "a: 1");
    }
    write(config.resolve("templates/shop/v1/a.trm"), "x");
    awaitOnly("runtime", "templates");
    settle();
    assertThat(reports).isEmpty();
    Files.delete(config.resolve("runtime/shop/v1/3.yaml"));
    awaitOnly("runtime");
    Files.writeString(config.resolve("templates/shop/v1/a.trm"), "changed");
    awaitOnly("templates");
  }

  @Test
  void aFileThatReplacesAnotherIsReported() throws Exception {
    write(config.resolve("runtime/a.yaml"), "a: 1");
    start();
    var next = config.resolve("runtime/.a.yaml.tmp");
    write(next, "a: 2");
    Files.move(next, config.resolve("runtime/a.yaml"), StandardCopyOption.ATOMIC_MOVE);
    awaitOnly("runtime");
  }

  @Test
  void newDirectoriesWithFilesAreWatchedAtOnce() throws Exception {
    start();
    write(config.resolve("runtime/new/a/b/c/d/x.yaml"), "1");
    awaitOnly("runtime");
    settle();
    reports.clear();
    write(config.resolve("runtime/new/a/b/c/d/x.yaml"), "2");
    awaitOnly("runtime");
    write(config.resolve("sandbox/x.yaml"), "1");
    awaitOnly("sandbox");
    write(config.resolve("sandbox/x.yaml"), "2");
    awaitOnly("sandbox");
  }

  @Test
  void directoriesMovedIntoTheTreeAreWatched() throws Exception {
    start();
    write(parent.resolve("outside/deep/x.yaml"), "1");
    Files.move(parent.resolve("outside"), config.resolve("runtime/inside"));
    awaitOnly("runtime");
    write(config.resolve("runtime/inside/deep/x.yaml"), "2");
    awaitOnly("runtime");
    Files.move(config.resolve("runtime/inside"), config.resolve("templates/inside"));
    awaitOnly("runtime", "templates");
    write(config.resolve("templates/inside/deep/x.yaml"), "3");
    awaitOnly("templates");
    Files.move(config.resolve("templates/inside"), parent.resolve("outside"));
    awaitOnly("templates");
    write(parent.resolve("outside/deep/x.yaml"), "4");
    settle();
    assertThat(reports).isEmpty();
  }

  @Test
  void temporaryFilesOfEditorsAreNotReported() throws Exception {
    start();
    for (var name : List.of(".a.yaml.swp", "a.yaml~", "#a.yaml#", "a.bak", ".git/x", "b~/x")) {
      write(config.resolve("runtime").resolve(name), "x");
    }
    settle();
    assertThat(reports).isEmpty();
  }

  @Test
  void aRootThatIsDeletedAndCreatedAgainIsWatched() throws Exception {
    start();
    Files.move(config, parent.resolve("old"));
    awaitEverything();
    write(parent.resolve("old/runtime/shop/v1/x.yaml"), "1");
    settle();
    assertThat(reports).isEmpty();
    write(config.resolve("runtime/x.yaml"), "1");
    awaitEverything();
    write(config.resolve("runtime/x.yaml"), "2");
    awaitOnly("runtime");
  }

  @Test
  void aRootWhoseParentsAreMissingIsWatchedWhenItAppears() throws Exception {
    config = parent.resolve("a/b/c");
    start();
    write(config.resolve("runtime/x.yaml"), "1");
    awaitEverything();
    write(config.resolve("runtime/x.yaml"), "2");
    awaitOnly("runtime");
  }

  @Test
  void aRootThatIsALinkIsFollowed() throws Exception {
    var first = Files.move(config, parent.resolve("first"));
    var second = parent.resolve("second");
    write(second.resolve("runtime/x.yaml"), "1");
    Files.createSymbolicLink(config, first);
    start();
    write(first.resolve("runtime/x.yaml"), "1");
    awaitOnly("runtime");
    var link = Files.createSymbolicLink(parent.resolve("link"), second);
    Files.move(link, config, StandardCopyOption.ATOMIC_MOVE);
    awaitEverything();
    write(second.resolve("runtime/x.yaml"), "2");
    awaitOnly("runtime");
    write(first.resolve("runtime/x.yaml"), "2");
    settle();
    assertThat(reports).isEmpty();
  }

  @Test
  void linksInsideTheTreeAreFollowedExceptInCycles() throws Exception {
    var outside = parent.resolve("outside");
    write(outside.resolve("v2/x.yaml"), "1");
    Files.createSymbolicLink(config.resolve("runtime/linked"), outside);
    Files.createSymbolicLink(outside.resolve("loop"), outside);
    Files.createSymbolicLink(config.resolve("runtime/up"), parent);
    start();
    write(outside.resolve("v2/x.yaml"), "2");
    awaitOnly("runtime");
  }

  @Test
  void anOverflowOfEventsReportsEverything() throws Exception {
    start();
    var directory = config.resolve("runtime/shop/v1");
    for (int i = 0; i < 40_000; i++) {
      Files.write(directory.resolve("f" + i % 600), new byte[0]);
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> !reports.isEmpty());
    assertThat(reports).allMatch(each -> each.touches("runtime"));
    settle();
    reports.clear();
    write(directory.resolve("x.yaml"), "2");
    awaitOnly("runtime");
  }

  @Test
  void tooManyDirectoriesAreReportedOnce() throws Exception {
    watch = ConfigWatch.start(config, loop, this::thread, listener, 5);
    awaitFirst();
    await().until(() -> !problems.isEmpty());
    assertThat(problems)
        .containsExactly(
            config + " has more than 5 directories; changes in the others are not detected");
  }

  @Test
  void aClosedWatchReportsNothingAndItsThreadEnds() throws Exception {
    start();
    write(config.resolve("runtime/x.yaml"), "1");
    watch.close();
    watch.close();
    for (var thread : threads) {
      thread.join(5000);
      assertThat(thread.isAlive()).isFalse();
      assertThat(thread.isDaemon()).isTrue();
    }
    settle();
    assertThat(reports).isEmpty();
  }

  @Test
  void closingEndsTheWaitForEvents() throws Exception {
    start();
    settle();
    watch.close();
    for (var thread : threads) {
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  /** A loop whose tasks and timers run when the test says so. */
  private static final class SteppedLoop implements TimedExecutor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Runnable> timers = new LinkedBlockingQueue<>();
    private final List<Duration> delays = new CopyOnWriteArrayList<>();
    private Instant now = Instant.EPOCH;

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      delays.add(delay);
      timers.add(task);
      return () -> timers.remove(task);
    }

    private static void next(BlockingQueue<Runnable> queue) throws InterruptedException {
      var task = queue.poll(20, TimeUnit.SECONDS);
      assertThat(task).isNotNull();
      task.run();
    }
  }

  @Test
  void aReportWaitsForTheQuietTimeAfterTheLastChange() throws Exception {
    var stepped = new SteppedLoop();
    watch = ConfigWatch.start(config, stepped, this::thread, listener);
    SteppedLoop.next(stepped.tasks);
    stepped.now = Instant.EPOCH.plusMillis(150);
    Files.createFile(config.resolve("runtime/a.yaml"));
    SteppedLoop.next(stepped.tasks);

    stepped.now = Instant.EPOCH.plusMillis(200);
    SteppedLoop.next(stepped.timers);
    assertThat(reports).isEmpty();

    stepped.now = Instant.EPOCH.plusMillis(350);
    SteppedLoop.next(stepped.timers);
    assertThat(reports).hasSize(1);
    assertThat(stepped.delays).containsExactly(Duration.ofMillis(200), Duration.ofMillis(150));
  }
}
