package verwalter.ui.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;

final class PatchesTest {
  private static JsonNode json(String text) {
    return StrictJson.parse(Buffer.buffer(text), "application/json");
  }

  /** The cases of RFC 7386, appendix A, that concern objects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"a\":\"b\"}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":\"b\"}|{\"b\":\"c\"}|{\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"}|{\"a\":null}|{}",
        "{\"a\":[\"b\"]}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":{\"b\":\"c\"}}|{\"a\":{\"b\":\"d\",\"c\":null}}|{\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]}|{\"a\":[1]}|{\"a\":[1]}",
        "{\"e\":null}|{\"a\":1}|{\"e\":null,\"a\":1}",
        "{}|{\"a\":{\"bb\":{\"ccc\":null}}}|{\"a\":{\"bb\":{}}}"
      })
  void appliesMergePatches(String target, String patch, String result) {
    assertThat(Patches.merge(json(target), json(patch))).isEqualTo(json(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"a\":1}|{\"op\":\"add\",\"path\":\"/b\",\"value\":2}|{\"a\":1,\"b\":2}",
        "{\"a\":[1,3]}|{\"op\":\"add\",\"path\":\"/a/1\",\"value\":2}|{\"a\":[1,2,3]}",
        "{\"a\":[1]}|{\"op\":\"add\",\"path\":\"/a/-\",\"value\":2}|{\"a\":[1,2]}",
        "{\"a\":1,\"b\":2}|{\"op\":\"remove\",\"path\":\"/a\"}|{\"b\":2}",
        "{\"a\":[1,2]}|{\"op\":\"remove\",\"path\":\"/a/0\"}|{\"a\":[2]}",
        "{\"a\":[1,2]}|{\"op\":\"replace\",\"path\":\"/a/0\",\"value\":9}|{\"a\":[9,2]}",
        "{\"a\":{\"x\":1},\"b\":{}}|{\"op\":\"move\",\"from\":\"/a/x\",\"path\":\"/b/y\"}|{\"a\":{},\"b\":{\"y\":1}}",
        "{\"a\":{\"x\":1}}|{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}|{\"a\":{\"x\":1},\"b\":{\"x\":1}}",
        "{\"a/b\":1,\"m~n\":2}|{\"op\":\"test\",\"path\":\"/a~1b\",\"value\":1}|{\"a/b\":1,\"m~n\":2}"
      })
  void appliesJsonPatches(String target, String operation, String result) {
    assertThat(Patches.json(json(target), json("[" + operation + "]"))).isEqualTo(json(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}|{\"op\":\"remove\",\"path\":\"/a\"}|422",
        "{}|{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}|422",
        "{}|{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}|422",
        "{\"a\":[1]}|{\"op\":\"add\",\"path\":\"/a/2\",\"value\":1}|422",
        "{\"a\":[1]}|{\"op\":\"add\",\"path\":\"/a/x\",\"value\":1}|422",
        "{\"a\":1}|{\"op\":\"add\",\"path\":\"/a/x\",\"value\":1}|422",
        "{\"a\":1}|{\"op\":\"test\",\"path\":\"/a\",\"value\":2}|422",
        "{\"a\":{}}|{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}|422",
        "{}|{\"op\":\"remove\",\"path\":\"\"}|422",
        "{}|{\"op\":\"add\",\"path\":\"/a\"}|400",
        "{}|{\"op\":\"add\",\"path\":\"a\",\"value\":1}|400",
        "{}|{\"op\":\"dance\",\"path\":\"/a\"}|400",
        "{}|7|400"
      })
  void refusesJsonPatchesThatDoNotFitWithoutChange(String target, String operation, int code) {
    var tree = json(target);
    assertThatExceptionOfType(RequestProblem.class)
        .isThrownBy(() -> Patches.json(tree, json("[" + operation + "]")))
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(code));
    assertThat(tree).isEqualTo(json(target));
  }
}
