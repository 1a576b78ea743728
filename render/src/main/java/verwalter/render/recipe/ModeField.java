package verwalter.render.recipe;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.render.disk.Mode;

/** Parses the field {@code mode} of a command. */
final class ModeField {
  private static final Pattern NUMBER =
      Pattern.compile("([+-]?)(0x|0o|0b)?([0-9a-fA-F][0-9a-fA-F_]*?)\\s*(k|M|G|ki|Mi|Gi)?");
  private static final Map<String, Long> UNITS =
      Map.of(
          "k",
          1000L,
          "M",
          1000_000L,
          "G",
          1000_000_000L,
          "ki",
          1L << 10,
          "Mi",
          1L << 20,
          "Gi",
          1L << 30);

  /**
   * Parses a number of the quire dialect, in which {@code 0644} is decimal. That is never intended,
   * so it is an error, as is {@code 755}; {@code 420} is accepted as a decimal.
   */
  static Mode parse(LegacyYaml value) throws RecipeError {
    var text = value.text();
    var number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw value.error("`" + text + "` is not a number; a mode is written like 0o644");
    }
    var digits = number.group(3).replace("_", "");
    if (number.group(2) == null && looksOctal(digits)) {
      throw value.error(
          "the mode "
              + text
              + " is decimal and would mean 0o"
              + octalOf(digits)
              + "; write 0o"
              + digits.replaceFirst("^0+(?=.)", ""));
    }
    try {
      var base = new BigInteger(number.group(1) + digits, radix(number.group(2)));
      var unit = BigInteger.valueOf(UNITS.getOrDefault(String.valueOf(number.group(4)), 1L));
      return new Mode(base.multiply(unit).intValueExact());
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw value.error("`" + text + "` is not a mode: those go from 0 to 0o7777");
    }
  }

  /** The mode in a command's fields, if there is one. */
  static Optional<Mode> optional(Map<String, LegacyYaml> fields) throws RecipeError {
    var mode = fields.get("mode");
    return mode == null ? Optional.empty() : Optional.of(parse(mode));
  }

  private static int radix(String prefix) {
    return prefix == null ? 10 : prefix.equals("0x") ? 16 : prefix.equals("0o") ? 8 : 2;
  }

  /**
   * Decimal digits that are probably meant as octal, since they are common permissions in octal.
   */
  private static boolean looksOctal(String digits) {
    if (!digits.matches("[0-7]{3,5}")) {
      return false;
    }
    int bits = Integer.parseInt(digits, 8);
    int owner = bits >> 6 & 7;
    int group = bits >> 3 & 7;
    int others = bits & 7;
    return digits.startsWith("0")
        || ((owner & 4) != 0 && (group & ~owner) == 0 && (others & ~group) == 0);
  }

  private static String octalOf(String digits) {
    return Integer.toOctalString(Integer.parseInt(digits));
  }

  private ModeField() {}
}
