package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void theFirstStartIsNoRestart() {
    assertThat(History.NONE.restarts()).isEqualTo(0);
    assertThat(History.NONE.started().restarts()).isEqualTo(0);
    assertThat(History.NONE.started().started().restarts()).isEqualTo(1);
  }

  @Test
  void aStartChangesOnlyTheCount() {
    assertThat(new History(3, 2, Optional.empty(), "why").started())
        .isEqualTo(new History(4, 2, Optional.empty(), "why"));
  }
}
