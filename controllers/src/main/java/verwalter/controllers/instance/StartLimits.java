package verwalter.controllers.instance;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What limits the starts of instances on a machine.
 *
 * @param boot a text that differs after each start of the machine; empty if none is known, so that
 *     nothing waits for what ran before
 * @param memory bytes that instances may reserve; empty if there is no limit
 */
public record StartLimits(Optional<String> boot, OptionalLong memory) {
  /** No limits. */
  public static final StartLimits NONE = new StartLimits(Optional.empty(), OptionalLong.empty());
}
