package verwalter.supervisor.lithos;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The two notations of whole numbers in lithos's files. */
final class Numbers {
  private static final Pattern PLAIN = Pattern.compile("[+-]?[0-9]{1,18}");
  private static final Pattern HUMAN =
      Pattern.compile(
          "(?<sign>[+-]?)(?:0x(?<hex>[0-9a-fA-F][0-9a-fA-F_]*)|0o(?<octal>[0-7][0-7_]*)"
              + "|0b(?<binary>[01][01_]*)|(?<decimal>[0-9][0-9_]*))\\s*(?<unit>|k|M|G|ki|Mi|Gi)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "",
          1L,
          "k",
          1_000L,
          "M",
          1_000_000L,
          "G",
          1_000_000_000L,
          "ki",
          1L << 10,
          "Mi",
          1L << 20,
          "Gi",
          1L << 30);

  /** Signed, with {@code _}, {@code 0x 0o 0b} and a unit; whole numbers only. */
  static Optional<Long> human(String text) {
    var match = HUMAN.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    var digits =
        match.group("hex") != null
            ? integer(match.group("hex"), 16)
            : match.group("octal") != null
                ? integer(match.group("octal"), 8)
                : match.group("binary") != null
                    ? integer(match.group("binary"), 2)
                    : integer(match.group("decimal"), 10);
    var unit = UNITS.getOrDefault(match.group("unit"), 1L);
    var value = digits.multiply(BigInteger.valueOf(unit));
    var signed = match.group("sign").equals("-") ? value.negate() : value;
    return signed.bitLength() > 63 ? Optional.empty() : Optional.of(signed.longValue());
  }

  private static BigInteger integer(String digits, int radix) {
    return new BigInteger(digits.replace("_", ""), radix);
  }

  /** Decimal digits with an optional sign. */
  static Optional<Long> plain(String text) {
    return PLAIN.matcher(text).matches() ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  private Numbers() {}
}
