package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalsTest {
  @ParameterizedTest
  @CsvSource({
    "0, SIGRT[0]",
    "1, SIGHUP[1]",
    "9, SIGKILL[9]",
    "15, SIGTERM[15]",
    "31, SIGSYS[31]",
    "32, SIGRT[32]",
    "64, SIGRT[64]",
  })
  void namesASignalAsLithos(int signal, String name) {
    assertThat(Signals.name(signal)).isEqualTo(name);
  }
}
