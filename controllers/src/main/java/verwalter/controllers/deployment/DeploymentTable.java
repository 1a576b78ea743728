package verwalter.controllers.deployment;

import static verwalter.model.DeploymentRef.State.CREATED;
import static verwalter.model.DeploymentRef.State.CREATING;
import static verwalter.model.DeploymentRef.State.DOWNLOADING;
import static verwalter.model.DeploymentRef.State.INITIAL;
import static verwalter.model.DeploymentRef.State.RESOLVED;
import static verwalter.model.DeploymentRef.State.RESOLVING;
import static verwalter.model.DeploymentRef.State.VERIFIED;
import static verwalter.model.DeploymentRef.State.VERIFYING;

import verwalter.model.DeploymentRef.State;

/** The state machine of a ref: what follows an event in a state. Pure. */
final class DeploymentTable {
  /** What is done after the status is written. */
  enum Action {
    /** Nothing. */
    NONE,
    /** Creates the artifact object. */
    ADD_ARTIFACT,
    /** Fetches the archive, or joins a fetch of it. */
    FETCH,
    /** Unpacks the archive. */
    UNPACK
  }

  /** The next state, and what is done in it. */
  record Step(State next, Action action) {}

  static Step next(State state, DeploymentEvent event) {
    return switch (event) {
      case NOTHING, ARTIFACT_ENDING, DIGEST_BAD, FAILED, FAILED_FOR_EVER -> to(state);
      case ARTIFACT_ABSENT -> new Step(state, Action.ADD_ARTIFACT);
      case RELEASE_COMPLETE -> to(CREATED);
      case RELEASE_MISSING -> to(INITIAL);
      case DIGEST_KNOWN -> to(RESOLVED);
      case ARCHIVE_COMPLETE -> to(VERIFIED);
      case ARCHIVE_MISSING -> to(RESOLVED);
      case NO_SPACE -> to(state == CREATING ? VERIFIED : state);
      case DIGEST_DIFFERS -> to(DOWNLOADING);
      case DIGEST_DIFFERS_FOR_EVER -> to(VERIFYING);
      case START -> start(state);
    };
  }

  private static Step start(State state) {
    return switch (state) {
      case INITIAL, RESOLVING -> new Step(RESOLVING, Action.FETCH);
      case RESOLVED, DOWNLOADING, DOWNLOADED, VERIFYING -> new Step(DOWNLOADING, Action.FETCH);
      case VERIFIED, CREATING -> new Step(CREATING, Action.UNPACK);
      case CREATED -> to(CREATED);
    };
  }

  private static Step to(State next) {
    return new Step(next, Action.NONE);
  }

  private DeploymentTable() {}
}
