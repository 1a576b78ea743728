package verwalter.scheduler.simulation;

import java.util.regex.Pattern;

/**
 * A metric that follows a sine.
 *
 * @param rule the metric's name for schedulers: {@code ROLE.load} unless the operator named a rule
 * @param min the minimum, over all nodes together
 * @param max the maximum
 * @param period the number of steps of one period
 */
public record Load(String rule, double min, double max, int period) {
  private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,9})?)";
  private static final Pattern FORM =
      Pattern.compile("([^=]+)=sine:" + NUMBER + ":" + NUMBER + ":(\\d{1,6})");

  /**
   * Parses {@code ROLE=sine:MIN:MAX:PERIOD}; a name with a dot is the name of a rule.
   *
   * @throws IllegalArgumentException with one sentence for the operator
   */
  public static Load of(String text) {
    var form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(4)) == 0) {
      throw new IllegalArgumentException(
          "a load is ROLE=sine:MIN:MAX:PERIOD, such as web=sine:10:200:60, not \"" + text + "\"");
    }
    var name = form.group(1);
    return new Load(
        name.indexOf('.') < 0 ? name + ".load" : name,
        Double.parseDouble(form.group(2)),
        Double.parseDouble(form.group(3)),
        Integer.parseInt(form.group(4)));
  }

  /** The value at a step: the minimum at step 0, the maximum half a period later. */
  double at(int step) {
    double phase = 2 * Math.PI * (step % period) / period;
    // Rounded, so that the last digit of a platform's sine does not affect the schedule.
    return Math.round((min + (max - min) * (1 - StrictMath.cos(phase)) / 2) * 1_000) / 1_000.0;
  }
}
