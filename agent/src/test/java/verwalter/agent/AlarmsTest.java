package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlarmsTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private final LinkedBlockingQueue<String> rung = new LinkedBlockingQueue<>();
  private final Alarms alarms = new Alarms(Executors.defaultThreadFactory(), rung::add);

  @AfterEach
  void close() {
    alarms.close();
  }

  @Test
  void whatIsStuckRings() throws Exception {
    var name = alarms.during("apply of web", SHORT, () -> rung.poll(10, TimeUnit.SECONDS));
    assertThat(name).startsWith("apply of web took longer");
  }

  @Test
  void whatEndsInTimeDoesNotRingAndNeitherDoesWhatHasALimitOfItsOwn() throws Exception {
    alarms.during("quick", Duration.ofHours(1), () -> "done");
    var during = new CountDownLatch(1);
    alarms.during(
        "program",
        SHORT,
        () ->
            alarms.resting(
                () -> {
                  // Another alarm, begun later and as short, rings first: ours would have by then.
                  var other = new Thread(() -> ringing(during));
                  other.start();
                  return waited(during);
                }));
    assertThat(rung).noneMatch(name -> name.startsWith("program"));
  }

  private void ringing(CountDownLatch rang) {
    try {
      assertThat(alarms.during("other", SHORT, () -> rung.poll(10, TimeUnit.SECONDS)))
          .startsWith("other");
      rang.countDown();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean waited(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
