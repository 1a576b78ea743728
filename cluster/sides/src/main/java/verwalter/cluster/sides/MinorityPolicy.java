package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import verwalter.model.RoleConfig;

/**
 * What a node does for a role while it is on a side without a majority of the electors. An operator
 * writes it as {@value #SETTING} in the settings of the role.
 *
 * @param mode what the node does
 * @param after for {@link Mode#STOP_AFTER}, how long processes keep running; otherwise zero
 */
public record MinorityPolicy(Mode mode, Duration after) {
  /** The name of the setting. */
  public static final String SETTING = "minority_policy";

  /** The policy of roles without the setting. */
  public static final MinorityPolicy FREEZE = new MinorityPolicy(Mode.FREEZE, Duration.ZERO);

  /** The policy that lets the leader of the side schedule the role. */
  public static final MinorityPolicy SCHEDULE = new MinorityPolicy(Mode.SCHEDULE, Duration.ZERO);

  /** The kinds of policies. */
  public enum Mode {
    /** Nothing changes: processes run, and are restarted, as before. */
    FREEZE,
    /** The leader of the side schedules the role on a fork. */
    SCHEDULE,
    /** Processes run as before for some time, and are stopped then. */
    STOP_AFTER,
    /** The node runs its last share, and follows changes of its own configuration directory. */
    RUN_LOCAL
  }

  /** What a node does for a role at one moment. */
  public enum Conduct {
    /** It follows the schedule in the log. */
    FOLLOW_LOG,
    /** It follows the schedule of the side's fork. */
    FOLLOW_FORK,
    /** It keeps what it runs. */
    KEEP,
    /** It keeps what it runs, and follows its own configuration directory. */
    KEEP_LOCAL,
    /** It stops the processes of the role. */
    STOP
  }

  /** A setting that is no policy. Its message says what is allowed. */
  public static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1;

    Invalid(Object value) {
      super(
          "%s must be freeze, schedule, run_local, or stop_after with a duration such as {stop_after: 10m}, not %s"
              .formatted(SETTING, value),
          null,
          false,
          false);
    }
  }

  /**
   * Reads the policy of a role; empty if it has none.
   *
   * @throws Invalid if the setting is no policy
   */
  public static Optional<MinorityPolicy> of(RoleConfig.Spec role) {
    return RoleSetting.find(role, SETTING).map(MinorityPolicy::parse);
  }

  /**
   * Reads the value of the setting.
   *
   * @throws Invalid if it is no policy
   */
  public static MinorityPolicy parse(Object value) {
    if (value instanceof Map<?, ?> map) {
      var after = map.get("stop_after");
      if (map.size() != 1 || after == null) {
        throw new Invalid(value);
      }
      return new MinorityPolicy(
          Mode.STOP_AFTER, DurationSetting.read(after).orElseThrow(() -> new Invalid(value)));
    }
    return switch (value.toString().strip()) {
      case "freeze" -> FREEZE;
      case "schedule" -> SCHEDULE;
      case "run_local" -> new MinorityPolicy(Mode.RUN_LOCAL, Duration.ZERO);
      default -> throw new Invalid(value);
    };
  }

  /**
   * Decides what a node does for the role.
   *
   * @param since since when the node is on a side without a majority; empty on a majority side.
   *     Begins anew after a pause of this process, which may be connected again.
   * @param now the present time of the same clock
   * @param led whether the side has a leader
   */
  public Conduct conduct(Optional<Duration> since, Duration now, boolean led) {
    if (since.isEmpty()) {
      return Conduct.FOLLOW_LOG;
    }
    return switch (mode) {
      case FREEZE -> Conduct.KEEP;
      case SCHEDULE -> led ? Conduct.FOLLOW_FORK : Conduct.KEEP;
      case STOP_AFTER -> left(since.get(), now).isZero() ? Conduct.STOP : Conduct.KEEP;
      case RUN_LOCAL -> Conduct.KEEP_LOCAL;
    };
  }

  /** The time until {@link Mode#STOP_AFTER} stops the processes; zero if it is over. */
  public Duration left(Duration since, Duration now) {
    var left = after.minus(now.minus(since));
    return left.isNegative() ? Duration.ZERO : left;
  }
}
