package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/** Renewals under virtual time. */
class CertificateRenewalsTest {
  private static final Duration LIFE = Duration.ofDays(60);
  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("renewals");
  private final Instant start = loop.now();
  private final List<Duration> renewed = new ArrayList<>();
  private Instant due = start.plus(LIFE);
  private int failing;

  private Future<Void> renew() {
    renewed.add(Duration.between(start, loop.now()));
    if (failing-- > 0) {
      return Future.failedFuture("no member answers");
    }
    due = loop.now().plus(LIFE);
    return Future.succeededFuture();
  }

  private CertificateRenewals renewals() {
    return CertificateRenewals.start(loop, () -> due, this::renew);
  }

  @Test
  void renewEachTimeItIsDue() {
    renewals();

    world.runFor(Duration.ofDays(150));

    assertThat(renewed).containsExactly(LIFE, LIFE.multipliedBy(2));
  }

  @Test
  void tryAgainMoreAndMoreSlowly() {
    failing = 9;
    renewals();

    world.runFor(LIFE.plus(Duration.ofHours(8)));

    assertThat(renewed)
        .extracting(it -> it.minus(LIFE).toMinutes())
        .containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L, 243L);
  }

  @Test
  void noticeACertificateThatWasReplacedByHand() {
    renewals();
    world.runFor(Duration.ofDays(59));
    due = loop.now().plus(LIFE);

    world.runFor(Duration.ofDays(30));

    assertThat(renewed).isEmpty();
  }

  @Test
  void goOnWhenTheFilesCannotBeRead() {
    var broken =
        CertificateRenewals.start(
            loop,
            () -> {
              throw new IOException("damaged");
            },
            this::renew);
    world.runFor(Duration.ofDays(1));
    assertThat(renewed).isEmpty();
    broken.close();
  }

  @Test
  void stopWhenTheyAreClosed() {
    renewals().close();

    world.runFor(Duration.ofDays(90));

    assertThat(renewed).isEmpty();
  }
}
