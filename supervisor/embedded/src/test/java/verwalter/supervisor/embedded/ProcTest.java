package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcTest {
  private static final String REST = " 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";

  @Test
  void parsesNameWithBrackets() {
    assertThat(Proc.parse("42 (a) b (c)) S 1 42 40 0 -1 4194304" + REST))
        .contains(new Proc.Stat(new ProcessId(42, 4711), 'S', 40, 0, false));
  }

  /** Both have session 0 in a container whose programs were started from outside. */
  @Test
  void distinguishesKernelThreadFromProcessWithForeignSession() {
    assertThat(Proc.parse("2 (kthreadd) S 0 0 0 0 -1 2129984" + REST))
        .contains(new Proc.Stat(new ProcessId(2, 4711), 'S', 0, 0, true));
    assertThat(Proc.parse("42 (sh) S 0 0 0 0 -1 4194304" + REST))
        .contains(new Proc.Stat(new ProcessId(42, 4711), 'S', 0, 0, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "42", "42 (sh)", "42 (sh) S 1 2", "x (sh) S 0 0 0 0 -1 4194304" + REST})
  void refusesIncompleteLine(String line) {
    assertThat(Proc.parse(line)).isEmpty();
  }
}
