package verwalter.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FeedTest {
  private final Feed feed = new Feed("e", () -> "");

  @Test
  void keptMessagesAreLimitedInNumber() {
    for (int i = 0; i < 1_000; i++) {
      feed.send("rows", "a");
    }
    assertThat(feed.remembered()).isBetween(128L * 10, 128L * 60);
  }

  @Test
  void keptMessagesAreLimitedInBytes() {
    for (int i = 0; i < 100; i++) {
      feed.send("rows", "a".repeat(100_000));
    }
    assertThat(feed.remembered()).isBetween(900_000L, 1L << 20);
  }

  @Test
  void keepsNoMessageThatIsLargerThanTheLimit() {
    feed.send("rows", "a".repeat(2_000_000));
    assertThat(feed.remembered()).isZero();
  }

  @Test
  void keepsNothingFromBeforeAWholePage() {
    feed.send("rows", "a");
    feed.sendWhole();
    assertThat(feed.remembered()).isZero();
  }
}
