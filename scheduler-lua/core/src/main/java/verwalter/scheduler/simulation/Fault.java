package verwalter.scheduler.simulation;

import java.util.regex.Pattern;

/**
 * A node that fails for some steps.
 *
 * @param first the first step without it
 * @param back the first step with it again; {@link Integer#MAX_VALUE} if it does not return
 */
public record Fault(String node, int first, int back) {
  private static final Pattern FORM = Pattern.compile("([^@]+)@(\\d{1,6})(?:-(\\d{1,6}))?");

  /**
   * Parses {@code NODE@STEP}, or {@code NODE@STEP-STEP}, whose second step is that of the return.
   *
   * @throws IllegalArgumentException with one sentence for the operator
   */
  public static Fault of(String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "a fault is NODE@STEP or NODE@STEP-STEP, not \"" + text + "\"");
    }
    int first = Integer.parseInt(form.group(2));
    int back = form.group(3) == null ? Integer.MAX_VALUE : Integer.parseInt(form.group(3));
    if (back <= first) {
      throw new IllegalArgumentException("\"" + text + "\" ends before it begins");
    }
    return new Fault(form.group(1), first, back);
  }

  boolean at(int step) {
    return step >= first && step < back;
  }
}
