package verwalter.client.objects;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits a JSON object into its values without decoding them, so that each object of a list is
 * decoded only once.
 */
final class JsonSlices {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** The text of each field of an object. */
  static Map<String, byte[]> fields(byte[] json) throws IOException {
    var fields = new HashMap<String, byte[]>();
    try (var parser = FACTORY.createParser(json)) {
      expect(parser.nextToken() == JsonToken.START_OBJECT, "expected a JSON object");
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var name = parser.currentName();
        parser.nextToken();
        fields.put(name, slice(parser, json));
      }
      expect(parser.currentToken() == JsonToken.END_OBJECT, "the JSON object has no end");
    }
    return fields;
  }

  /** The text of each item of an array. */
  static List<byte[]> items(byte[] json) throws IOException {
    var items = new ArrayList<byte[]>();
    try (var parser = FACTORY.createParser(json)) {
      expect(parser.nextToken() == JsonToken.START_ARRAY, "expected a JSON array");
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        expect(parser.currentToken() != null, "the JSON array has no end");
        items.add(slice(parser, json));
      }
    }
    return items;
  }

  private static byte[] slice(JsonParser parser, byte[] json) throws IOException {
    int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    if (parser.currentToken().isStructStart()) {
      parser.skipChildren();
    } else {
      parser.getText(); // makes the parser read the whole scalar
    }
    return Arrays.copyOfRange(
        json, start, Math.toIntExact(parser.currentLocation().getByteOffset()));
  }

  private static void expect(boolean holds, String message) throws IOException {
    if (!holds) {
      throw new IOException(message);
    }
  }

  private JsonSlices() {}
}
