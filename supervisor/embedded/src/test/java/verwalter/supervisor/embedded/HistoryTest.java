package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
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
    assertThat(new History(3, 1, false, 2, Optional.empty(), "why").started())
        .isEqualTo(new History(4, 1, false, 2, Optional.empty(), "why"));
  }

  @Test
  void aStartAfterARequestedEndIsAReplacement() {
    var restart = new Restart(Instant.EPOCH, 0, "");
    var replacing = History.NONE.started().ended(true, restart, Optional.empty());
    assertThat(replacing.restarts()).isEqualTo(0);
    assertThat(replacing.replacements()).isEqualTo(0);
    var replaced = replacing.started();
    assertThat(replaced.restarts()).isEqualTo(0);
    assertThat(replaced.replacements()).isEqualTo(1);
    var crashed = replaced.ended(false, restart, Optional.empty()).started();
    assertThat(crashed.restarts()).isEqualTo(1);
    assertThat(crashed.replacements()).isEqualTo(1);
  }
}
