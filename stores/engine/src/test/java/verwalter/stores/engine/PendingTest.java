package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PendingTest {
  private final Pending pending = Pending.transaction(List.of(), OptionalLong.of(3));

  @Test
  void theFirstFailureIsReported() {
    var first = new IllegalStateException("first");
    pending.fail(first);
    pending.fail(new IllegalStateException("second"));
    assertThat(pending.future().isComplete()).isFalse();
    pending.complete();
    assertThat(pending.future().cause()).isSameAs(first);
  }

  @Test
  void aWriteThatWasNotDecidedFails() {
    pending.complete();
    assertThat(pending.future().cause()).hasMessage("nothing was decided");
  }

  @Test
  void aWriteIsATransactionOrAnEpoch() {
    assertThat(pending.fence()).hasValue(3);
    assertThat(pending.epoch()).isEmpty();
    assertThat(Pending.epoch(7).epoch()).hasValue(7);
    assertThat(Pending.epoch(7).fence()).isEmpty();
  }
}
