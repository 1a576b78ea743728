package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GivenUpPeersTest {
  private static final Digest A = Digest.of(Sha256.start().digest(Machine.utf8("a")));
  private static final Digest B = Digest.of(Sha256.start().digest(Machine.utf8("b")));

  private final Web.VirtualTicks ticks = new Web.VirtualTicks();
  private final GivenUpPeers peers = new GivenUpPeers(ticks, Duration.ofMinutes(10));

  @Test
  void aMachineIsGivenUpForOneArchiveAndForAWhile() {
    peers.add("n1", A);
    ticks.sleep(Duration.ofMinutes(10).toNanos() - 1);
    assertThat(peers.has("n1", A)).isTrue();
    assertThat(peers.has("n1", B)).isFalse();
    assertThat(peers.has("n2", A)).isFalse();
    ticks.sleep(1);
    assertThat(peers.has("n1", A)).isFalse();
  }

  @Test
  void theOldestIsForgottenAboveALimit() {
    for (int i = 0; i <= GivenUpPeers.MOST; i++) {
      peers.add("n" + i, A);
      ticks.sleep(1);
    }
    assertThat(peers.has("n0", A)).isFalse();
    assertThat(peers.has("n1", A)).isTrue();
    assertThat(peers.has("n" + GivenUpPeers.MOST, A)).isTrue();
  }
}
