package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.util.Map;
import verwalter.model.Metadata;

/**
 * How many bytes objects take in memory, on a 64-bit virtual machine with compressed references.
 *
 * <p>The value that a JSON text means takes one object for each text, number, list and mapping in
 * it, and an entry for each member of a mapping. Names of the fields of records take nothing, so
 * the estimate is usually too large. Mappings with the same keys share them; only where each
 * mapping has keys of its own is the estimate too small, by less than half. What several objects
 * share otherwise counts for each.
 */
final class HeapEstimate {
  /** A node of a {@link Tree}. */
  static final int TREE_NODE = 32;

  /** A string of Latin letters, without them. */
  private static final int TEXT = 24 + 16 + 4;

  /** An object in the state: {@link Stored}, its key, its metadata, its resource, its times. */
  private static final int OBJECT = 416;

  /** A {@link Content} without its value. */
  private static final int CONTENT = 64;

  /** Of one change in the history: the effect, its place in a list, and its share of the group. */
  static final int EFFECT = 120;

  private static final int LIST_OR_MAPPING = 64;

  /** A member of a mapping, without its value and the letters of its key. */
  private static final int MEMBER = 16;

  private static final int SCALAR = 20;

  /** The value that a JSON text means. */
  static int json(ByteBuffer json) {
    long sum = CONTENT;
    boolean inText = false;
    for (int i = json.position(); i < json.limit(); i++) {
      byte each = json.get(i);
      if (inText) {
        if (each == '"') {
          inText = false;
        } else if (each == '\\') {
          i++;
          sum++;
        } else {
          sum++;
        }
        continue;
      }
      switch (each) {
        case '"' -> {
          inText = true;
          sum += TEXT;
        }
        case '{', '[' -> sum += LIST_OR_MAPPING;
        case ':' -> sum += MEMBER - TEXT; // the text before was a key
        case ',' -> sum += 4;
        default -> {
          boolean begins = i == json.position() || ":,[".indexOf(json.get(i - 1)) >= 0;
          sum += begins && each != ']' && each != '}' ? SCALAR : 0;
        }
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, sum);
  }

  static int text(String text) {
    return TEXT + text.length();
  }

  /** An object without its spec and its status. */
  static int object(Metadata meta) {
    int sum = OBJECT + TREE_NODE + text(meta.name()) + text(meta.uid());
    sum += texts(meta.labels()) + texts(meta.annotations());
    for (var finalizer : meta.finalizers()) {
      sum += 8 + text(finalizer);
    }
    for (var owner : meta.owners()) {
      sum += 32 + text(owner.name()) + text(owner.uid()) + text(owner.kind());
    }
    return sum;
  }

  private static int texts(Map<String, String> map) {
    int sum = 0;
    for (var each : map.entrySet()) {
      sum += 16 + text(each.getKey()) + text(each.getValue());
    }
    return sum;
  }

  private HeapEstimate() {}
}
