package verwalter.render.engine;

import java.math.BigDecimal;
import verwalter.model.json.Json;

/** Prints floating point numbers as the engines of verwalter 0.13 do. */
public final class PlainDecimal {
  /**
   * The fewest digits that read back as the same number, without an exponent, and without a
   * fraction if that is zero: {@code 3}, {@code 0.0000001}.
   */
  public static String of(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "NaN" : number > 0 ? "inf" : "-inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    return new BigDecimal(Json.canonical(number)).stripTrailingZeros().toPlainString();
  }

  private PlainDecimal() {}
}
