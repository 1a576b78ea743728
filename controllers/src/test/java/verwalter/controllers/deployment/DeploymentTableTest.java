package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.DeploymentRef.State;

class DeploymentTableTest {
  /** The rows of the specification that lead to another state or to an action. */
  @ParameterizedTest
  @CsvSource({
    "INITIAL,     RELEASE_COMPLETE,        CREATED,     NONE",
    "INITIAL,     DIGEST_KNOWN,            RESOLVED,    NONE",
    "INITIAL,     START,                   RESOLVING,   FETCH",
    "INITIAL,     DIGEST_BAD,              INITIAL,     NONE",
    "RESOLVING,   DIGEST_KNOWN,            RESOLVED,    NONE",
    "RESOLVING,   FAILED,                  RESOLVING,   NONE",
    "RESOLVING,   START,                   RESOLVING,   FETCH",
    "RESOLVED,    ARTIFACT_ABSENT,         RESOLVED,    ADD_ARTIFACT",
    "RESOLVED,    ARTIFACT_ENDING,         RESOLVED,    NONE",
    "RESOLVED,    ARCHIVE_COMPLETE,        VERIFIED,    NONE",
    "RESOLVED,    START,                   DOWNLOADING, FETCH",
    "DOWNLOADING, ARCHIVE_COMPLETE,        VERIFIED,    NONE",
    "DOWNLOADING, FAILED,                  DOWNLOADING, NONE",
    "DOWNLOADING, FAILED_FOR_EVER,         DOWNLOADING, NONE",
    "DOWNLOADING, NO_SPACE,                DOWNLOADING, NONE",
    "DOWNLOADING, DIGEST_DIFFERS,          DOWNLOADING, NONE",
    "DOWNLOADING, DIGEST_DIFFERS_FOR_EVER, VERIFYING,   NONE",
    "DOWNLOADING, START,                   DOWNLOADING, FETCH",
    "DOWNLOADED,  ARCHIVE_COMPLETE,        VERIFIED,    NONE",
    "VERIFYING,   ARCHIVE_COMPLETE,        VERIFIED,    NONE",
    "VERIFYING,   START,                   DOWNLOADING, FETCH",
    "VERIFIED,    NOTHING,                 VERIFIED,    NONE",
    "VERIFIED,    START,                   CREATING,    UNPACK",
    "VERIFIED,    ARCHIVE_MISSING,         RESOLVED,    NONE",
    "CREATING,    RELEASE_COMPLETE,        CREATED,     NONE",
    "CREATING,    NO_SPACE,                VERIFIED,    NONE",
    "CREATING,    FAILED,                  CREATING,    NONE",
    "CREATING,    START,                   CREATING,    UNPACK",
    "CREATING,    ARCHIVE_MISSING,         RESOLVED,    NONE",
    "CREATED,     RELEASE_COMPLETE,        CREATED,     NONE",
    "CREATED,     RELEASE_MISSING,         INITIAL,     NONE",
  })
  void anEventLeadsToAState(
      State state, DeploymentEvent event, State next, DeploymentTable.Action action) {
    assertThat(DeploymentTable.next(state, event))
        .isEqualTo(new DeploymentTable.Step(next, action));
  }

  @ParameterizedTest
  @EnumSource
  void noEventActsInTheStateCreated(DeploymentEvent event) {
    var action = DeploymentTable.next(State.CREATED, event).action();
    assertThat(action).isIn(DeploymentTable.Action.NONE, DeploymentTable.Action.ADD_ARTIFACT);
  }

  @Test
  void aStateThatWaitsForNothingIsNeverEntered() {
    Set<State> entered = EnumSet.noneOf(State.class);
    for (var state : State.values()) {
      for (var event : DeploymentEvent.values()) {
        var next = DeploymentTable.next(state, event).next();
        if (next != state) {
          entered.add(next);
        }
      }
    }
    var never = new TreeSet<>(EnumSet.complementOf(EnumSet.copyOf(entered)));
    assertThat(never).containsExactly(State.DOWNLOADED);
  }
}
