package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a node is reachable, from its signs of life as one observer received them. Pure.
 *
 * <p>Silence counts only while the observer could have heard: after a pause of the observer it
 * begins anew. A node that was lost is reachable again after signs of life for {@link
 * Limits#steady}, and for twice as long after each further loss, so that an unreliable network does
 * not move processes back and forth.
 *
 * @param presence the decision
 * @param silence for how long the node has been silent, as far as the observer knows
 * @param again when to decide again if there is no further sign of life
 */
public record NodeLoss(Presence presence, Duration silence, Duration again) {
  /** Whether a node is reachable. */
  public enum Presence {
    /** Its signs of life arrive. */
    REACHABLE,
    /** It has been silent for some time, or has not been reachable for long enough since. */
    SUSPECT,
    /** It has been silent for longer than the limit. */
    LOST
  }

  /**
   * Limits of the decision.
   *
   * @param suspect the silence after which a node is suspected
   * @param lost the silence after which it is lost
   * @param steady for how long signs of life must arrive before a lost node is reachable
   * @param longest the limit of {@code steady} for a node that was lost repeatedly
   */
  public record Limits(Duration suspect, Duration lost, Duration steady, Duration longest) {}

  /**
   * What an observer knows of a node. Durations are ages on the observer's monotonic clock.
   *
   * @param listening for how long the observer has received signs of life without a pause
   * @param last the age of the last sign of life; empty if there was none
   * @param steady for how long signs of life have arrived without a gap; empty if that is unknown
   * @param wasLost whether the node was lost and has not been reachable since
   * @param losses how often the node was lost before, in the time that counts as recent
   */
  public record Signs(
      Duration listening,
      Optional<Duration> last,
      Optional<Duration> steady,
      boolean wasLost,
      int losses) {}

  /** Decides about one node. */
  public static NodeLoss of(Signs signs, Limits limits) {
    var silence =
        signs.last().filter(age -> age.compareTo(signs.listening()) < 0).orElse(signs.listening());
    if (silence.compareTo(limits.lost()) >= 0) {
      return new NodeLoss(Presence.LOST, silence, limits.lost());
    }
    var rest = limits.lost().minus(silence);
    if (signs.wasLost()) {
      var missing = damped(signs.losses(), limits).minus(signs.steady().orElse(Duration.ZERO));
      boolean heard = signs.last().filter(age -> age.compareTo(limits.lost()) < 0).isPresent();
      if (!heard || !(missing.isNegative() || missing.isZero())) {
        return new NodeLoss(
            Presence.SUSPECT, silence, heard && missing.compareTo(rest) < 0 ? missing : rest);
      }
    }
    boolean quiet = silence.compareTo(limits.suspect()) >= 0;
    var next = quiet ? rest : limits.suspect().minus(silence);
    return new NodeLoss(quiet ? Presence.SUSPECT : Presence.REACHABLE, silence, next);
  }

  /** How long signs of life must arrive before a node that was lost is reachable. */
  static Duration damped(int losses, Limits limits) {
    int doublings = Math.max(0, Math.min(losses - 1, 30));
    var damped = limits.steady().multipliedBy(1L << doublings);
    return damped.compareTo(limits.longest()) > 0 ? limits.longest() : damped;
  }
}
