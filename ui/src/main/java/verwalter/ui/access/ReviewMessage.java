package verwalter.ui.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import verwalter.ui.http.RequestProblem;

/**
 * Reads a review in the binary form of Kubernetes, which {@code kubectl auth can-i} sends: a mark,
 * and an envelope with the message. Only the fields that reviews use are read.
 */
final class ReviewMessage {
  static final String TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MARK = {'k', '8', 's', 0};
  private static final int LONGEST = 64 * 1024;

  // Numbers of fields in the definitions of Kubernetes.
  private static final int CONTENT = 2;
  private static final int SPEC = 2;
  private static final int RESOURCE = 1;
  private static final int PATH = 2;
  private static final Map<Integer, String> RESOURCE_FIELDS =
      Map.of(2, "verb", 3, "group", 5, "resource", 6, "subresource", 7, "name");
  private static final Map<Integer, String> PATH_FIELDS = Map.of(1, "path", 2, "verb");

  /**
   * The review as the JSON that it stands for.
   *
   * @throws RequestProblem 400 if it is malformed
   */
  static JsonNode read(Buffer body) {
    var bytes = body.getBytes();
    if (bytes.length > LONGEST || bytes.length < MARK.length || !hasMark(bytes)) {
      throw malformed();
    }
    var envelope = fields(Arrays.copyOfRange(bytes, MARK.length, bytes.length));
    var spec = fields(part(fields(part(envelope, CONTENT)), SPEC));
    var review = JsonNodeFactory.instance.objectNode();
    var into = review.putObject("spec");
    copy(spec, RESOURCE, RESOURCE_FIELDS, into, "resourceAttributes");
    copy(spec, PATH, PATH_FIELDS, into, "nonResourceAttributes");
    return review;
  }

  private static boolean hasMark(byte[] bytes) {
    return Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
  }

  private static void copy(
      Map<Integer, byte[]> spec,
      int part,
      Map<Integer, String> names,
      ObjectNode into,
      String name) {
    var content = spec.get(part);
    if (content != null) {
      var object = into.putObject(name);
      fields(content)
          .forEach(
              (number, value) -> {
                var field = names.get(number);
                if (field != null && value.length > 0) {
                  object.put(field, new String(value, StandardCharsets.UTF_8));
                }
              });
    }
  }

  private static byte[] part(Map<Integer, byte[]> fields, int number) {
    var part = fields.get(number);
    return part == null ? new byte[0] : part;
  }

  /** The fields of a message that are texts or messages. */
  private static Map<Integer, byte[]> fields(byte[] message) {
    var fields = new HashMap<Integer, byte[]>();
    var in = ByteBuffer.wrap(message);
    while (in.hasRemaining()) {
      long key = number(in);
      switch ((int) (key & 7)) {
        case 0 -> number(in);
        case 1 -> skip(in, Long.BYTES);
        case 2 -> {
          var value = new byte[length(in, number(in))];
          in.get(value);
          fields.put((int) (key >>> 3), value);
        }
        case 5 -> skip(in, Integer.BYTES);
        default -> throw malformed();
      }
    }
    return fields;
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(in.position() + length(in, bytes));
  }

  private static int length(ByteBuffer in, long length) {
    if (length < 0 || length > in.remaining()) {
      throw malformed();
    }
    return (int) length;
  }

  /** A number in groups of seven bits, the lowest first. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw malformed();
      }
      byte next = in.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw malformed();
  }

  private static RequestProblem malformed() {
    return RequestProblem.badRequest("the review is malformed");
  }

  private ReviewMessage() {}
}
