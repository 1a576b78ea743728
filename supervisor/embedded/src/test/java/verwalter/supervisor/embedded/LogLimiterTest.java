package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

class LogLimiterTest {
  private static final Path LOG = Path.of("/log");

  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("supervisor");
  private final Disk disk = new Disk();
  private final Set<Path> running = new HashSet<>(Set.of(LOG));
  private final LogLimiter limiter = new LogLimiter(loop, disk, () -> Set.copyOf(running));

  /** A disk with one log. */
  private final class Disk implements LogLimiter.Files {
    private long size;
    private int looks;
    private long seen;
    private boolean watched;
    private boolean watchable = true;
    private long growth;
    private Duration delay = LogGrowth.LONGEST;
    private Runnable atWatch = () -> {};
    private Runnable afterLook = () -> {};

    @Override
    public LogFiles.Limited limit(Collection<Path> files, LogGrowth before) {
      looks++;
      size += growth;
      seen = size;
      var limited = new LogFiles.Limited(new LogGrowth(Map.of(LOG, size), loop.now()), delay);
      if (watched) {
        afterLook.run();
      }
      return limited;
    }

    @Override
    public boolean watch(Collection<Path> files) {
      assertThat(files).containsExactlyElementsOf(running);
      watched = watchable;
      atWatch.run();
      return watchable;
    }
  }

  private int looksWithin(Duration span) {
    int before = disk.looks;
    world.runFor(span);
    return disk.looks - before;
  }

  @Test
  void looksUntilNothingGrowsAndThenWaits() {
    limiter.grown();
    world.runFor(Duration.ofSeconds(5));
    assertThat(disk.watched).isTrue();
    assertThat(looksWithin(Duration.ofHours(1))).isZero();

    disk.size = 100;
    limiter.grown();
    assertThat(looksWithin(Duration.ofMillis(900))).isEqualTo(2);
  }

  @Test
  void aSecondReportDoesNotMakeItLookTwice() {
    limiter.grown();
    limiter.grown();
    assertThat(looksWithin(Duration.ofMillis(900))).isEqualTo(2);
  }

  @Test
  void aWriteBeforeTheWatchIsNotMissed() {
    disk.atWatch = () -> disk.size = 7;
    limiter.grown();
    world.runFor(Duration.ofSeconds(5));
    assertThat(disk.watched).isTrue();
    assertThat(disk.seen).isEqualTo(7);
  }

  @Test
  void seesWriteBetweenLastLookAndItsResult() {
    disk.afterLook =
        () -> {
          disk.afterLook = () -> {};
          disk.size = 7;
          loop.execute(limiter::grown);
        };
    limiter.grown();
    world.runFor(Duration.ofSeconds(10));
    assertThat(disk.seen).isEqualTo(7);
    assertThat(looksWithin(Duration.ofHours(1))).isZero();
  }

  @Test
  void keepsLookingUntilFilesCanBeWatched() {
    disk.watchable = false;
    limiter.grown();
    world.runFor(Duration.ofHours(1));
    disk.size = 7;
    world.runFor(Duration.ofSeconds(1));
    assertThat(disk.seen).isEqualTo(7);

    disk.watchable = true;
    world.runFor(Duration.ofSeconds(5));
    assertThat(looksWithin(Duration.ofHours(1))).isZero();
  }

  @Test
  void waitsForTheDelay() {
    disk.growth = 1;
    limiter.grown();
    int slow = looksWithin(Duration.ofSeconds(5));
    disk.delay = LogGrowth.SHORTEST;
    world.runFor(Duration.ofSeconds(1));
    assertThat(looksWithin(Duration.ofSeconds(5))).isGreaterThan(3 * slow);
  }

  @Test
  void looksNoMoreOnceClosed() {
    limiter.grown();
    world.runFor(Duration.ofMillis(1));
    limiter.close();
    world.runFor(Duration.ofSeconds(1));
    assertThat(looksWithin(Duration.ofSeconds(10))).isZero();
  }
}
