package verwalter.cluster.forks;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/**
 * Delivers one message until it is accepted or refused, or another one takes its place. Nothing
 * happens after that. Confined to its loop.
 */
final class Delivery {
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

  private final SidePeers peers;
  private final Loop loop;
  private final int most;
  private @Nullable Letter letter;
  private TimedExecutor.Timer retry = () -> {};

  private record Letter(String to, SideMessage message) {}

  /**
   * @param most how often a message is sent at most
   */
  Delivery(SidePeers peers, Loop loop, int most) {
    this.peers = peers;
    this.loop = loop;
    this.most = most;
  }

  /** Sends a message, unless it is the one that was sent last. */
  void send(String to, SideMessage message) {
    var next = new Letter(to, message);
    if (!next.equals(letter)) {
      retry.cancel();
      letter = next;
      attempt(next, 1);
    }
  }

  private void attempt(Letter next, int attempt) {
    peers
        .send(next.to(), next.message())
        .map(answer -> answer == SideAnswer.DONE || answer == SideAnswer.REFUSED)
        .otherwise(false)
        .onSuccess(
            over ->
                loop.execute(
                    () -> {
                      if (!over && attempt < most && Objects.equals(letter, next)) {
                        retry.cancel();
                        retry = loop.after(RETRY.delay(attempt), () -> attempt(next, attempt + 1));
                      }
                    }));
  }

  /** Forgets the last message. */
  void clear() {
    retry.cancel();
    letter = null;
  }
}
