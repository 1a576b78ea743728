package verwalter.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.codec.AnyJson;

class CanonicalJsonTest {
  @Test
  void hashesTheEmptyObjectLikeVerwalter013() {
    assertThat(Json.hash(Map.of())).isEqualTo("bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f");
  }

  @Property
  void frozenValuesHaveTheSameText(@ForAll("values") @Nullable Object value) {
    assertThat(Json.canonical(Json.freeze(value))).isEqualTo(Json.canonical(value));
  }

  @Test
  void hashesASampleLikeVerwalter013() throws Exception {
    var text =
        "{\"roles\":{\"a\":[1,\"x\",null,true],\"b\":1.0},\"vars\":{\"é\":\"q\\\"\\n\\u0001/\"}}";
    var data = Json.parse(text);
    assertThat(Json.canonical(data)).isEqualTo(text);
    assertThat(Json.hash(data)).isEqualTo("55f948f5db3e7f3915ef319f3110e2658c043161");
  }

  @ParameterizedTest
  @CsvSource({
    "0.0, 0.0",
    "-0.0, -0.0",
    "1.0, 1.0",
    "-1.5, -1.5",
    "100.0, 100.0",
    "123.456, 123.456",
    "0.1, 0.1",
    "0.3, 0.3",
    "0.30000000000000004, 0.30000000000000004",
    "0.00001, 0.00001",
    "0.000001, 0.000001",
    "0.00000123, 0.00000123",
    "0.000000123, 1.23e-7",
    "1e-7, 1e-7",
    "1e20, 100000000000000000000.0",
    "1.5e20, 150000000000000000000.0",
    "123456789012345680000, 123456789012345680000.0",
    "1e21, 1e21",
    "1.25e21, 1.25e21",
    "2e23, 2e23",
    "9007199254740993, 9007199254740992.0",
    "4.9e-324, 5e-324",
    "9.9e-324, 1e-323",
    "2e-323, 2e-323",
    "1.7976931348623157e308, 1.7976931348623157e308",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "-1e-300, -1e-300",
  })
  void formatsFloatingPointNumbers(double number, String text) {
    assertThat(Json.canonical(number)).isEqualTo(text);
  }

  @Test
  void printsIntegersOf64BitsExactly() {
    assertThat(Json.canonical(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(Json.canonical(7)).isEqualTo("7");
    assertThat(Json.canonical(new BigInteger("18446744073709551615")))
        .isEqualTo("18446744073709551615");
    assertThat(Json.canonical(new BigInteger("18446744073709551616")))
        .isEqualTo("18446744073709552000.0");
    assertThat(Json.canonical(new BigInteger("-9223372036854775809")))
        .isEqualTo("-9223372036854776000.0");
  }

  @Test
  void escapesOnlyRequiredCharacters() {
    assertThat(Json.canonical("\b\f\n\r\t\"\\/\u0000\u001f\u007fé\u2028\ud83d\ude00"))
        .isEqualTo("\"\\b\\f\\n\\r\\t\\\"\\\\/\\u0000\\u001f\u007fé\u2028\ud83d\ude00\"");
  }

  @Test
  void sortsKeysByTheirUtf8Bytes() {
    var map = new LinkedHashMap<String, Long>();
    List.of("\ud83d\ude00", "\uffff", "\ue000", "\ud7ff", "b", "ab", "a", "")
        .forEach(k -> map.put(k, 1L));
    assertThat(Json.canonical(map))
        .isEqualTo(
            "{\"\":1,\"a\":1,\"ab\":1,\"b\":1,\"\ud7ff\":1,\"\ue000\":1,\"\uffff\":1,\"\ud83d\ude00\":1}");
  }

  @Test
  void refusesValuesWithoutAJsonForm() {
    assertThatThrownBy(() -> Json.canonical(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Json.canonical("\ud800")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> Json.canonical(new Object())).hasMessageContaining("Object");
    assertThatThrownBy(() -> Json.canonical(BigInteger.TEN.pow(400)))
        .hasMessageContaining("Infinity");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-0|-0.0",
        "1E2|100.0",
        "18446744073709551616|18446744073709552000.0",
        "{\"a\":1,\"b\":2,\"a\":3}|{\"a\":3,\"b\":2}",
        " [ 1 , 1.0 ] |[1,1.0]",
        "\"\\/\\u00e9\\ud83d\\ude00\"|\"/é\ud83d\ude00\"",
      })
  void canonicalFormOfATextIsUnique(String text, String canonical) throws Exception {
    assertThat(Json.canonical(Json.parse(text))).isEqualTo(canonical);
  }

  @Property
  boolean readsBackWhatItWrote(@ForAll("values") @Nullable Object value) throws Exception {
    return Objects.equals(Json.parse(Json.canonical(value)), value);
  }

  @Property
  boolean everyDoubleReadsBackBitByBit(@ForAll("doubles") double number) throws Exception {
    var read = Json.parse(Json.canonical(number));
    return read instanceof Double back
        && Double.doubleToLongBits(back) == Double.doubleToLongBits(number);
  }

  @Property
  boolean theOrderOfKeysIsIrrelevant(
      @ForAll("objects") Map<String, Object> value, @ForAll long seed) {
    return Json.hash(shuffled(value, new Random(seed))).equals(Json.hash(value));
  }

  @Property
  boolean keysAreInTheOrderOfTheirBytes(@ForAll("texts") String a, @ForAll("texts") String b) {
    int bytes =
        Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    return Integer.signum(CanonicalJson.BY_UTF8.compare(a, b)) == Integer.signum(bytes);
  }

  private static @Nullable Object shuffled(@Nullable Object value, Random random) {
    if (value instanceof Map<?, ?> map) {
      var keys = new ArrayList<Object>(map.keySet());
      Collections.shuffle(keys, random);
      var copy = new LinkedHashMap<Object, @Nullable Object>();
      keys.forEach(key -> copy.put(key, shuffled(map.get(key), random)));
      return copy;
    }
    return value;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{'a':1}",
        "{a:1}",
        "01",
        "+1",
        ".5",
        "1.",
        "0x1",
        "NaN",
        "Infinity",
        "tru",
        "nulll",
        "1 2",
        "{} []",
        "\"\n\"",
        "\"\\x\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud800\":1}",
        "1e999",
        "-1e999",
        "// c\n1",
        "/* c */1",
        "[1 2]",
        "{\"a\" 1}",
        "]",
        "\"a",
        "[",
      })
  void refusesWhatIsNotStrictJson(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(DecodeException.class);
  }

  @Test
  void reportsLineAndColumnOfAnError() {
    assertThatThrownBy(() -> Json.parse("{\n  \"a\": nul\n}", "x.json"))
        .isInstanceOfSatisfying(
            DecodeException.class,
            e -> {
              assertThat(e.problems()).hasSize(1);
              assertThat(e.problems().get(0).line()).isEqualTo(2);
              assertThat(e).hasMessageStartingWith("x.json:2:").hasMessageContaining("nul");
            });
  }

  @Test
  void refusesTextsThatNestTooDeep() throws Exception {
    Json.parse("[".repeat(200) + "]".repeat(200));
    assertThatThrownBy(() -> Json.parse("[".repeat(201) + "]".repeat(201)))
        .hasMessageContaining("deeper than 200");
    assertThatThrownBy(() -> Json.parse("[".repeat(1_000_000))).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> Json.parse("{\"a\":".repeat(300))).isInstanceOf(DecodeException.class);
  }

  @Test
  void refusesTextsThatAreTooLong() {
    assertThatThrownBy(() -> Json.parse(" ".repeat(Json.MAX_LENGTH) + "1"))
        .hasMessageContaining("longer than");
  }

  @Provide
  Arbitrary<@Nullable Object> values() {
    return AnyJson.values(3);
  }

  @Provide
  Arbitrary<Map<String, Object>> objects() {
    return AnyJson.objects(3);
  }

  @Provide
  Arbitrary<Double> doubles() {
    return AnyJson.doubles();
  }

  @Provide
  Arbitrary<String> texts() {
    return AnyJson.texts();
  }
}
