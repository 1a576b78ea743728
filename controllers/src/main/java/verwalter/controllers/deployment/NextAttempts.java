package verwalter.controllers.deployment;

import verwalter.model.DeploymentRef.Attempts;
import verwalter.model.DeploymentRef.State;

/** Counts failed attempts by step. Pure. */
final class NextAttempts {
  /** The numbers after an event. A step that succeeds begins anew, and so does a new spec. */
  static Attempts of(Observed seen, DeploymentEvent event) {
    var last = seen.status().attempts();
    return switch (event) {
      case FAILED, FAILED_FOR_EVER, NO_SPACE -> failed(seen.state(), last);
      case DIGEST_DIFFERS, DIGEST_DIFFERS_FOR_EVER ->
          new Attempts(
              last.resolve(), last.download(), last.verify() + 1, last.create(), last.destroy());
      case DIGEST_KNOWN ->
          new Attempts(0, last.download(), last.verify(), last.create(), last.destroy());
      case ARCHIVE_COMPLETE -> new Attempts(0, 0, 0, last.create(), last.destroy());
      case RELEASE_COMPLETE -> new Attempts(0, 0, 0, 0, last.destroy());
      case START -> seen.isFailing() && seen.status().nextRetry().isEmpty() ? Attempts.NONE : last;
      default -> last;
    };
  }

  private static Attempts failed(State state, Attempts last) {
    return switch (state) {
      case INITIAL, RESOLVING ->
          new Attempts(
              last.resolve() + 1, last.download(), last.verify(), last.create(), last.destroy());
      case RESOLVED, DOWNLOADING, DOWNLOADED, VERIFYING ->
          new Attempts(
              last.resolve(), last.download() + 1, last.verify(), last.create(), last.destroy());
      case VERIFIED, CREATING, CREATED ->
          new Attempts(
              last.resolve(), last.download(), last.verify(), last.create() + 1, last.destroy());
    };
  }

  /** The number that the backoff of a step begins with: at least 1. */
  static int of(State state, Attempts attempts) {
    long count =
        switch (state) {
          case INITIAL, RESOLVING -> attempts.resolve();
          case RESOLVED, DOWNLOADING, DOWNLOADED, VERIFYING ->
              attempts.download() + attempts.verify();
          case VERIFIED, CREATING, CREATED -> attempts.create();
        };
    return (int) Math.max(1, Math.min(count, 1000));
  }

  private NextAttempts() {}
}
