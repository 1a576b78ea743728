package verwalter.controllers.deployment;

import java.time.Duration;
import verwalter.concurrent.Backoff;

/**
 * Limits of the preparation of releases.
 *
 * @param downloads that run at once
 * @param unpackings that run at once
 * @param mismatches downloads with another digest that are repeated
 * @param backoff time before a failed step is tried again
 * @param audit time after which a pass looks whether the files are still there
 */
public record DeploymentLimits(
    int downloads, int unpackings, int mismatches, Backoff backoff, Duration audit) {
  /** 4 downloads, 2 unpackings, 5 repetitions, 5 seconds doubling to 10 minutes, 6 minutes. */
  public static final DeploymentLimits DEFAULT =
      new DeploymentLimits(
          4,
          2,
          5,
          Backoff.exponential(Duration.ofSeconds(5), Duration.ofMinutes(10)),
          Duration.ofMinutes(6));

  /** A copy with another number of downloads. */
  public DeploymentLimits withDownloads(int number) {
    return new DeploymentLimits(number, unpackings, mismatches, backoff, audit);
  }
}
