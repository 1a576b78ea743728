package verwalter.controllers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.controllers.process.ProbeResult.Outcome;
import verwalter.model.Condition.Truth;
import verwalter.model.ProcessGroup.Readiness;
import verwalter.model.ProcessSpec.Probe;
import verwalter.model.ProcessSpec.Purpose;

/**
 * The state of a probe after its attempts: {@code s} succeeds, {@code f} fails, {@code u} is
 * unknown.
 */
class ProbeStateTest {
  private static final Instant START = Instant.ofEpochSecond(1_700_000_000);

  private static Probe probe(Purpose purpose, int successes, int failures) {
    return new Probe(
        purpose,
        Optional.of("http://127.0.0.1/"),
        Optional.empty(),
        List.of(),
        1,
        1,
        successes,
        failures,
        200,
        399);
  }

  private static ProbeResult result(char letter) {
    return switch (letter) {
      case 's' -> ProbeResult.SUCCESS;
      case 'f' -> ProbeResult.failure("HTTP 503");
      default -> ProbeResult.unknown("cannot run");
    };
  }

  private static ProbeState after(ProbeState state, String attempts, Probe probe) {
    var now = START;
    for (int i = 0; i < attempts.length(); i++) {
      now = now.plusSeconds(1);
      state = state.after(result(attempts.charAt(i)), probe, now);
    }
    return state;
  }

  @ParameterizedTest
  @CsvSource({
    "READINESS, '',         UNKNOWN",
    "READINESS, s,          UNKNOWN",
    "READINESS, ss,         TRUE",
    "READINESS, f,          FALSE",
    "READINESS, fs,         FALSE",
    "READINESS, fss,        TRUE",
    "READINESS, ssff,       TRUE",
    "READINESS, ssffsff,    TRUE",
    "READINESS, ssfff,      FALSE",
    "READINESS, ssuu,       TRUE",
    "READINESS, ssuuu,      UNKNOWN",
    "READINESS, ssffuff,    TRUE",
    "READINESS, ssuuuf,     UNKNOWN",
    "READINESS, ssuuufff,   FALSE",
    "LIVENESS,  ff,         UNKNOWN",
    "LIVENESS,  fff,        FALSE",
    "LIVENESS,  uuuuuuuu,   UNKNOWN",
    "STARTUP,   ff,         UNKNOWN",
  })
  void changesAfterResultsInARow(Purpose purpose, String attempts, Truth truth) {
    var state = after(ProbeState.fresh(START), attempts, probe(purpose, 2, 3));
    assertThat(state.truth()).isEqualTo(truth);
  }

  @Test
  void saysWhyAndSinceWhen() {
    var probe = probe(Purpose.READINESS, 1, 2);
    var ready = after(ProbeState.fresh(START), "s", probe);
    assertThat(ready.readiness()).isEqualTo(new Readiness(Truth.TRUE, "", START.plusSeconds(1)));
    assertThat(after(ProbeState.fresh(START), "sfff", probe).readiness())
        .isEqualTo(new Readiness(Truth.FALSE, "HTTP 503", START.plusSeconds(3)));
  }

  @Test
  void aProcessThatWasReadyBeforeARestartOfTheAgentStaysReadyAsLongAsWithout() {
    var probe = probe(Purpose.READINESS, 1, 3);
    var ready = new Readiness(Truth.TRUE, "", START.minusSeconds(60));
    assertThat(ProbeState.of(ready).readiness()).isEqualTo(ready);
    assertThat(after(ProbeState.of(ready), "ff", probe).readiness()).isEqualTo(ready);
    assertThat(after(ProbeState.of(ready), "fff", probe).truth()).isEqualTo(Truth.FALSE);
  }

  /** The state changes only if the last results are equal, and as many as it needs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void noChangeComesFromFewerResultsThanItNeeds(int seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      var probe = probe(Purpose.LIVENESS, 1 + random.nextInt(4), 1 + random.nextInt(4));
      var state = ProbeState.fresh(START);
      var outcomes = new ArrayList<Outcome>();
      for (int step = 1; step <= 50; step++) {
        var result = result("sfu".charAt(random.nextInt(3)));
        outcomes.add(result.outcome());
        var next = state.after(result, probe, START.plusSeconds(step));
        int needed = result.outcome() == Outcome.SUCCESS ? probe.successes() : probe.failures();
        boolean equal =
            outcomes.size() >= needed
                && outcomes.subList(outcomes.size() - needed, outcomes.size()).stream()
                    .allMatch(result.outcome()::equals);
        var wanted =
            !equal
                ? state.truth()
                : switch (result.outcome()) {
                  case SUCCESS -> Truth.TRUE;
                  case FAILURE -> Truth.FALSE;
                  case UNKNOWN -> Truth.UNKNOWN;
                };
        assertThat(next.truth()).as("%s after %s", probe, outcomes).isEqualTo(wanted);
        state = next;
      }
    }
  }
}
