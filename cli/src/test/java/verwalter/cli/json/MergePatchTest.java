package verwalter.cli.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.json.PlainJson;

class MergePatchTest {
  private static Map<String, Object> json(String text) {
    try {
      return PlainJson.readObject(text.replace('\'', '"').getBytes(UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1} | {'a':1} | {}",
        "{'a':1} | {'a':1.0} | {}",
        "{'a':1} | {'a':2} | {'a':2}",
        "{'a':1} | {} | {'a':null}",
        "{} | {'a':{'b':1}} | {'a':{'b':1}}",
        "{} | {'a':{}} | {'a':{}}",
        "{'a':{'b':1,'c':2}} | {'a':{'b':1}} | {'a':{'c':null}}",
        "{'a':[1,2]} | {'a':[1]} | {'a':[1]}",
        "{'a':1} | {'a':{'b':1}} | {'a':{'b':1}}",
        "{'a':{'b':1}} | {'a':'x'} | {'a':'x'}",
      })
  void patchHoldsDifferenceAndAppliesIt(String from, String to, String patch) {
    var between = MergePatch.between(json(from), json(to));
    assertThat(between).isEqualTo(json(patch));
    assertThat(MergePatch.between(MergePatch.applied(between, json(from)), json(to))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // last applied | wanted | live | patch
        "{} | {'a':1} | {'a':1,'b':2} | {}",
        "{'b':2} | {'a':1} | {'a':1,'b':2} | {'b':null}",
        "{'b':2} | {'a':1} | {'a':1} | {}",
        "{'s':{'x':1,'y':1}} | {'s':{'x':1}} | {'s':{'x':1,'y':5,'z':9}} | {'s':{'y':null}}",
        "{} | {'a':null} | {} | {}",
      })
  void keepsFieldsOfOthersAndRemovesOwnFormerFields(
      String last, String wanted, String live, String patch) {
    assertThat(MergePatch.merging(json(last), json(wanted), json(live))).isEqualTo(json(patch));
  }

  @Test
  void patchesConflictOnlyInSameFieldWithDifferentValues() {
    assertThat(MergePatch.collide(json("{'s':{'a':1}}"), json("{'s':{'b':1}}"))).isFalse();
    assertThat(MergePatch.collide(json("{'s':{'a':1}}"), json("{'s':{'a':1}}"))).isFalse();
    assertThat(MergePatch.collide(json("{'s':{'a':1}}"), json("{'s':{'a':2}}"))).isTrue();
    assertThat(MergePatch.collide(json("{'s':{'a':1}}"), json("{'s':null}"))).isTrue();
  }
}
