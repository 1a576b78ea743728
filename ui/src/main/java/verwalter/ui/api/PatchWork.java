package verwalter.ui.api;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import verwalter.ui.http.RequestProblem;

/**
 * Limits what the operations of one JSON patch may copy, move and shift. A patch of 30 operations
 * can copy a map into itself 30 times, which would make it a billion times as large.
 */
final class PatchWork {
  /** The estimated number of bytes that a patch may copy, move and shift. */
  private static final long MOST = 8L << 20;

  /** The estimated memory of a node with its place in an object, in bytes. */
  private static final int NODE = 64;

  /** The estimated cost of moving an element of an array by one place, in bytes. */
  private static final int PLACE = 4;

  /** The largest number of nested objects and arrays. */
  private static final int DEEPEST = 200;

  /** The largest number of characters of a path. */
  private static final int LONGEST_PATH = 10_000;

  private long left = MOST;

  /**
   * Counts a tree that is about to be copied or moved.
   *
   * @throws RequestProblem 413 if the patch has done too much
   */
  void spend(JsonNode tree) {
    spend(NODE + (tree.isTextual() || tree.isBinary() ? 2L * tree.asText("").length() : 0));
    if (tree.isObject()) {
      tree.properties()
          .forEach(
              field -> {
                spend(2L * field.getKey().length());
                spend(field.getValue());
              });
    } else {
      tree.forEach(this::spend);
    }
  }

  /** Counts elements of an array that are about to be shifted. */
  void shift(int elements) {
    spend((long) PLACE * elements);
  }

  private void spend(long bytes) {
    left -= bytes;
    if (left < 0) {
      throw tooLarge("a JSON patch may copy and move %d MiB at most".formatted(MOST >> 20));
    }
  }

  /**
   * Checks the depth of a value at a place.
   *
   * @throws RequestProblem 413 if it is too deep
   */
  static void checkDepth(JsonPointer path, JsonNode value) {
    int depth = 0;
    for (var step = path; !step.matches(); step = step.tail()) {
      depth++;
    }
    checkDepth(value, depth);
  }

  private static void checkDepth(JsonNode value, int depth) {
    if (depth > DEEPEST) {
      throw tooLarge("an object may have %d levels at most".formatted(DEEPEST));
    }
    value.forEach(each -> checkDepth(each, depth + 1));
  }

  /**
   * Checks the length of a path before it is parsed.
   *
   * @throws RequestProblem 413 if it is too long
   */
  static void checkLength(String path, String where) {
    if (path.length() > LONGEST_PATH) {
      throw tooLarge(
          "%s has a path of %d characters; the limit is %d"
              .formatted(where, path.length(), LONGEST_PATH));
    }
  }

  private static RequestProblem tooLarge(String message) {
    return RequestProblem.of(413, "RequestEntityTooLarge", message);
  }
}
