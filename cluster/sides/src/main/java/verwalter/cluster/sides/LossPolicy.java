package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Optional;
import verwalter.model.RoleConfig;

/**
 * After which silence of a node its processes of a role may be started elsewhere. An operator
 * writes it as {@value #SETTING} in the settings of the role.
 *
 * @param after the silence; empty for never
 */
public record LossPolicy(Optional<Duration> after) {
  /** The name of the setting. */
  public static final String SETTING = "node_loss_policy";

  /** The shortest silence: more than two intervals in which nodes renew their leases. */
  private static final Duration SHORTEST = Duration.ofSeconds(5);

  /** The policy of roles without the setting: 15 seconds. */
  public static final LossPolicy DEFAULT = new LossPolicy(Optional.of(Duration.ofSeconds(15)));

  /** The policy of critical roles: 5 seconds. */
  public static final LossPolicy CRITICAL = new LossPolicy(Optional.of(SHORTEST));

  /** Processes are never started elsewhere because a node is silent. */
  public static final LossPolicy NEVER = new LossPolicy(Optional.empty());

  /** A setting that is no policy. Its message says what is allowed. */
  public static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1;

    Invalid(Object value) {
      super(
          "%s must be default, critical, never, or a duration of at least 5s such as 30s, not %s"
              .formatted(SETTING, value),
          null,
          false,
          false);
    }
  }

  /**
   * Reads the policy of a role; the default if it has none.
   *
   * @throws Invalid if the setting is no policy
   */
  public static LossPolicy of(RoleConfig.Spec role) {
    return RoleSetting.find(role, SETTING).map(LossPolicy::parse).orElse(DEFAULT);
  }

  /** Reads the policy of a role; the default if it has none or an invalid one. */
  public static LossPolicy valid(RoleConfig.Spec role) {
    try {
      return of(role);
    } catch (Invalid reported) { // as a condition of the role
      return DEFAULT;
    }
  }

  /**
   * Reads the value of the setting.
   *
   * @throws Invalid if it is no policy
   */
  public static LossPolicy parse(Object value) {
    return switch (value.toString().strip()) {
      case "default" -> DEFAULT;
      case "critical" -> CRITICAL;
      case "never" -> NEVER;
      default ->
          new LossPolicy(
              Optional.of(
                  DurationSetting.read(value)
                      .filter(after -> after.compareTo(SHORTEST) >= 0)
                      .orElseThrow(() -> new Invalid(value))));
    };
  }

  /** Whether a node that has been silent for this long is lost for the role. */
  public boolean isLost(NodeLoss.Presence presence, Duration silence) {
    return presence != NodeLoss.Presence.REACHABLE
        && after.filter(limit -> silence.compareTo(limit) >= 0).isPresent();
  }
}
