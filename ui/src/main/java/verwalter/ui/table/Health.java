package verwalter.ui.table;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import verwalter.model.Condition;

/**
 * The state of an object: a word and its severity.
 *
 * @param word CamelCase, one word
 */
public record Health(Tone tone, String word) {

  /** The severity; the symbol has the same meaning as the colour. */
  public enum Tone {
    GOOD("●"),
    BUSY("◐"),
    WARN("▲"),
    BAD("✖"),
    QUIET("○");

    private final String symbol;

    Tone(String symbol) {
      this.symbol = symbol;
    }

    public String symbol() {
      return symbol;
    }

    /** The lower-case name, as style sheets use it. */
    public String style() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final Health UNKNOWN = new Health(Tone.QUIET, "Unknown");

  /** {@code good} if no condition is false, otherwise the reason of the first false one. */
  static Health of(List<Condition> conditions, String good) {
    if (conditions.isEmpty()) {
      return UNKNOWN;
    }
    return failing(conditions)
        .map(condition -> new Health(Tone.BAD, word(condition.reason(), condition.type())))
        .orElseGet(
            () ->
                conditions.stream().allMatch(Condition::isTrue)
                    ? new Health(Tone.GOOD, good)
                    : UNKNOWN);
  }

  /** The first false condition. */
  static Optional<Condition> failing(List<Condition> conditions) {
    return conditions.stream().filter(Condition::isFalse).findFirst();
  }

  private static String word(String reason, String type) {
    return reason.isEmpty() ? "Not" + type : reason;
  }

  @Override
  public String toString() {
    return word;
  }
}
