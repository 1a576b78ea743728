package verwalter.ui.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import io.vertx.core.buffer.Buffer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;

/** Hostile and random JSON patches. What a patch allocates also bounds its time. */
@Timeout(120)
final class PatchesFuzzTest {
  private static final long MOST_ALLOCATED = 256L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static JsonNode json(String text) {
    return StrictJson.parse(Buffer.buffer(text), "application/json");
  }

  private static final JsonNode TARGET =
      json(
          """
          {"metadata":{"name":"alpha","annotations":{"a":"b"},"labels":{}},"spec":{"list":[1,[2]]}}""");

  private static JsonNode patch(String first, String repeated, int times) {
    return json(
        "[" + first + ("," + repeated).repeat(times).substring(first.isEmpty() ? 1 : 0) + "]");
  }

  /** Applies a patch, and fails if it allocates too much. */
  private static JsonNode bounded(JsonNode patch) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      return Patches.json(TARGET, patch);
    } finally {
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
    }
  }

  private static void assertTooLarge(JsonNode patch) {
    assertThatExceptionOfType(RequestProblem.class)
        .isThrownBy(() -> bounded(patch))
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(413))
        .satisfies(problem -> assertThat(problem.getMessage()).hasSizeLessThan(1_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 30, 10_000})
  void refusesMapThatIsCopiedIntoItself(int times) {
    var patch = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < times; i++) {
      patch
          .addObject()
          .put("op", "copy")
          .put("from", "/metadata/annotations")
          .put("path", "/metadata/annotations/m" + i);
    }
    assertTooLarge(patch);
  }

  @Test
  void refusesManyCopiesOfOneLargeValue() {
    var large = "{\"op\":\"add\",\"path\":\"/x\",\"value\":\"" + "x".repeat(1_000_000) + "\"}";
    assertTooLarge(patch(large, "{\"op\":\"copy\",\"from\":\"/x\",\"path\":\"/y\"}", 9_000));
  }

  @Test
  void refusesManyMovesOfOneLargeValue() {
    var large = "{\"op\":\"add\",\"path\":\"/x\",\"value\":[0" + ",0".repeat(100_000) + "]}";
    var there = "{\"op\":\"move\",\"from\":\"/x\",\"path\":\"/y\"}";
    var back = "{\"op\":\"move\",\"from\":\"/y\",\"path\":\"/x\"}";
    assertTooLarge(patch(large, there + "," + back, 4_000));
  }

  @Test
  void refusesManyInsertionsAtTheStartOfOneLargeArray() {
    var large = "{\"op\":\"add\",\"path\":\"/x\",\"value\":[0" + ",0".repeat(100_000) + "]}";
    assertTooLarge(patch(large, "{\"op\":\"add\",\"path\":\"/x/0\",\"value\":0}", 9_000));
  }

  @Test
  void refusesPathWithManySteps() {
    assertTooLarge(
        patch("", "{\"op\":\"add\",\"path\":\"" + "/a".repeat(1_000_000) + "\",\"value\":0}", 1));
  }

  @Test
  void refusesTreeThatGrowsDeeperWithEachMove() {
    var all = new ArrayList<String>();
    all.add("{\"op\":\"add\",\"path\":\"/x\",\"value\":{}}");
    for (int i = 0; i < 1_000; i++) {
      all.add("{\"op\":\"add\",\"path\":\"/y\",\"value\":{}}");
      all.add("{\"op\":\"move\",\"from\":\"/x\",\"path\":\"/y/x\"}");
      all.add("{\"op\":\"move\",\"from\":\"/y\",\"path\":\"/x\"}");
    }
    assertTooLarge(json("[" + String.join(",", all) + "]"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomPatchesAreBounded(long seed) {
    var chance = new Random(seed);
    int applied = 0;
    for (int round = 0; round < 200; round++) {
      var patch = random(chance);
      try {
        var result = bounded(patch);
        assertThat(StrictJson.json(result).length()).isLessThan(32 << 20);
        applied++;
      } catch (RequestProblem refused) {
        assertThat(refused.code()).isIn(400, 413, 422);
      }
    }
    assertThat(applied).isPositive();
  }

  private static ArrayNode random(Random chance) {
    var patch = JsonNodeFactory.instance.arrayNode();
    int size = 1 << chance.nextInt(7);
    for (int i = 0; i < size; i++) {
      var op = List.of("add", "copy", "copy", "copy", "move", "replace").get(chance.nextInt(6));
      ObjectNode operation = patch.addObject().put("op", op).put("path", path(chance));
      if (op.equals("copy") || op.equals("move")) {
        operation.put("from", path(chance));
      } else {
        operation.set("value", chance.nextBoolean() ? TARGET.path("spec") : TARGET);
      }
    }
    return patch;
  }

  /** Mostly a path that exists. */
  private static String path(Random chance) {
    return List.of(
            "",
            "/metadata",
            "/metadata",
            "/metadata/labels",
            "/metadata/annotations",
            "/metadata/annotations/m" + chance.nextInt(4),
            "/spec",
            "/spec/list/0",
            "/spec/list/-",
            "/spec/list/1")
        .get(chance.nextInt(10));
  }
}
