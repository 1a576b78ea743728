package verwalter.client.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain Java values: Map in the order of the text, List, String, Boolean, Long or
 * BigInteger, Double, null. All values are mutable.
 *
 * <p>It uses only the streaming API of Jackson, since data binding would add 60 ms to every command
 * of {@code vw}. {@link verwalter.model.json.Json} is for schedules: it has other rules for
 * numbers, and limits that a list of objects may exceed.
 */
public final class PlainJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** The value of a JSON text. */
  public static @Nullable Object read(byte[] text) throws IOException {
    try (var parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new IOException("the text is empty");
      }
      return value(parser);
    }
  }

  /** Reads a JSON object. Throws if the text is another value. */
  public static Map<String, Object> readObject(byte[] text) throws IOException {
    if (read(text) instanceof Map<?, ?> object) {
      return map(object);
    }
    throw new IOException("expected a JSON object");
  }

  /** The value on one line. */
  public static String line(@Nullable Object value) {
    return write(value, false);
  }

  /** The value on several lines, indented by four spaces as in kubectl. */
  public static String pretty(@Nullable Object value) {
    return write(value, true);
  }

  /** The value at a path of field names below {@code root}; null if there is none. */
  public static @Nullable Object at(@Nullable Object root, String... path) {
    var here = root;
    for (var name : path) {
      here = here instanceof Map<?, ?> object ? object.get(name) : null;
    }
    return here;
  }

  /** The scalar at {@code path} as a string; empty if there is none. */
  public static String text(@Nullable Object root, String... path) {
    var found = at(root, path);
    return found == null ? "" : found.toString();
  }

  /** The object at {@code path}; an empty one if there is none. */
  public static Map<String, Object> map(@Nullable Object root, String... path) {
    @SuppressWarnings("unchecked") // objects that this class reads have string keys
    var found = at(root, path) instanceof Map<?, ?> object ? (Map<String, Object>) object : null;
    return found == null ? new LinkedHashMap<>() : found;
  }

  /** The array at {@code path}; an empty one if there is none. */
  public static List<Object> list(@Nullable Object root, String... path) {
    @SuppressWarnings("unchecked")
    var found = at(root, path) instanceof List<?> array ? (List<Object>) array : null;
    return found == null ? List.of() : found;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    var object = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    var array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }

  private static Number integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? parser.getBigIntegerValue()
        : (Number) parser.getLongValue();
  }

  private static String write(@Nullable Object value, boolean pretty) {
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(text)) {
      if (pretty) {
        generator.setPrettyPrinter(layout());
      }
      write(value, generator);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static DefaultPrettyPrinter layout() {
    var indent = new DefaultIndenter("    ", "\n");
    var separators =
        Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");
    return new DefaultPrettyPrinter(separators)
        .withObjectIndenter(indent)
        .withArrayIndenter(indent);
  }

  private static void write(@Nullable Object value, JsonGenerator out) throws IOException {
    if (value instanceof Map<?, ?> object) {
      out.writeStartObject();
      for (var field : object.entrySet()) {
        out.writeFieldName(String.valueOf(field.getKey()));
        write(field.getValue(), out);
      }
      out.writeEndObject();
    } else if (value instanceof List<?> array) {
      out.writeStartArray();
      for (var each : array) {
        write(each, out);
      }
      out.writeEndArray();
    } else if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof BigInteger number) {
      out.writeNumber(number);
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value instanceof Number number) {
      out.writeNumber(number.longValue());
    } else {
      out.writeNull();
    }
  }

  private PlainJson() {}
}
