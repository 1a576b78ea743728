package verwalter.model.codec;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** Arbitrary free-form values. */
public final class AnyJson {
  /** Strings that some reader of YAML or JSON reads as another type. */
  static final List<String> TRICKY =
      List.of(
          "",
          " ",
          "yes",
          "no",
          "on",
          "off",
          "y",
          "n",
          "Y",
          "N",
          "true",
          "True",
          "FALSE",
          "null",
          "Null",
          "~",
          "0x1",
          "0o17",
          "0b1",
          "1e3",
          "1.5",
          ".5",
          "5.",
          "-1",
          "+1",
          "0644",
          "1_000",
          "1:30",
          "12:30:45",
          ".inf",
          "-.INF",
          ".nan",
          "NaN",
          "inf",
          "-0",
          "1.",
          "2018-08-10",
          "2018-08-10T15:11:50.123Z",
          "=",
          "<<",
          "-",
          "- a",
          "? a",
          ": a",
          "a: b",
          "a:",
          "a #b",
          "#a",
          "#",
          "&a",
          "*a",
          "!a",
          "!!str a",
          "|",
          ">",
          "'",
          "\"",
          "'a'",
          "\"a\"",
          "%a",
          "@a",
          "`a`",
          "{",
          "}",
          "{}",
          "[]",
          "[a",
          ",a",
          "---",
          "--- a",
          "...",
          "\n",
          "\n\n",
          " a",
          "a ",
          "a\n",
          "a\n\n",
          "\na",
          " a\nb",
          "a\n b",
          "a \nb",
          "a\n\n\nb",
          "a\tb",
          "\ta",
          "a\t",
          "a\r",
          "a\r\nb",
          "\r",
          "\u0000",
          "\u0007",
          "\u001b[1m",
          "\u007f",
          "\u0085",
          "a\u0085b",
          "\u00a0",
          "\u2028",
          "\u2029",
          "\ufeff",
          "\ufeffa",
          "\ufffe",
          "\ud83d\ude00",
          "a\ud83d\ude00\n",
          "\ue000",
          "x".repeat(300),
          "word ".repeat(60),
          "a\n" + "b ".repeat(90),
          "# a\nb",
          "a\n# b",
          "a\n---\nb",
          "a\n...\n",
          "\\",
          "\\n",
          "\u0000\n");

  public static Arbitrary<String> texts() {
    var characters =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.chars().range(' ', '~')),
            Tuple.of(1, Arbitraries.of('\n', '\t', '\r', '"', '\\', ':', '#', ' ')),
            Tuple.of(1, Arbitraries.chars().range('\u0000', '\u00ff')),
            Tuple.of(1, Arbitraries.chars().range('\u2020', '\u2030')),
            Tuple.of(1, Arbitraries.chars().range('\ue000', '\uffff')));
    var made = characters.list().ofMaxSize(12).map(AnyJson::join);
    var pairs = Arbitraries.integers().between(0x10000, 0x10ffff).map(Character::toString);
    return Arbitraries.frequencyOf(
        Tuple.of(5, made), Tuple.of(3, Arbitraries.of(TRICKY)), Tuple.of(1, pairs));
  }

  private static String join(List<Character> characters) {
    var text = new StringBuilder();
    characters.forEach(text::append);
    return text.toString();
  }

  /** Numbers that survive canonical text: i64, u64 and finite floating point. */
  public static Arbitrary<Object> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Object.class::cast),
        Arbitraries.bigIntegers()
            .between(
                BigInteger.ONE.shiftLeft(63), BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE))
            .map(Object.class::cast),
        doubles().map(Object.class::cast));
  }

  public static Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite),
        Arbitraries.longs().between(-1_000_000, 1_000_000).map(each -> each / 1000.0),
        Arbitraries.of(
            0.0,
            -0.0,
            1.0,
            1e20,
            1e21,
            1e22,
            1e-5,
            1e-6,
            1e-7,
            Double.parseDouble("1e23"),
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            2e-323,
            1.5e308));
  }

  @SuppressWarnings("NullAway") // null is a valid value
  private static Arbitrary<@Nullable Object> nothing() {
    return Arbitraries.just(null);
  }

  /** Values of any shape, at most {@code depth} deep. */
  public static Arbitrary<@Nullable Object> values(int depth) {
    Arbitrary<@Nullable Object> scalars =
        Arbitraries.<@Nullable Object>oneOf(
            texts().map(Object.class::cast),
            numbers(),
            Arbitraries.of(true, false).map(Object.class::cast),
            nothing());
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<@Nullable Object> lists =
        values(depth - 1)
            .list()
            .ofMaxSize(4)
            .map(each -> Collections.unmodifiableList(new ArrayList<>(each)));
    return Arbitraries.<@Nullable Object>oneOf(
        scalars, lists, objects(depth).map(Object.class::cast));
  }

  public static Arbitrary<Map<String, Object>> objects(int depth) {
    return Arbitraries.maps(texts(), values(depth - 1))
        .ofMaxSize(4)
        .map(each -> Collections.unmodifiableMap(new LinkedHashMap<>(each)));
  }

  private AnyJson() {}
}
