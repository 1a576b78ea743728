package verwalter.model.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads strict JSON text according to RFC 8259. */
public final class JsonText {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Json.MAX_DEPTH + 1)
                  .maxStringLength(Json.MAX_LENGTH)
                  .maxNameLength(Json.MAX_LENGTH)
                  .build())
          .build();

  private final JsonParser parser;
  private final String source;
  private boolean unique;

  private JsonText(JsonParser parser, String source) {
    this.parser = parser;
    this.source = source;
  }

  /**
   * Parses a text with exactly one JSON value to a frozen value.
   *
   * @param unique whether equal keys of one object are a problem; otherwise the last one wins
   */
  @SuppressWarnings("NullAway") // the value may be null
  static @Nullable Object value(String text, String source, boolean unique) throws DecodeException {
    return read(
        text,
        source,
        json -> {
          json.unique = unique;
          json.parser.nextToken();
          var value = json.plain(0);
          if (json.parser.nextToken() != null) {
            throw json.problem("expected nothing after the end of the value");
          }
          return value;
        });
  }

  /** Parses a text with any number of JSON values to values with places. */
  public static List<Located> located(String text, String source) throws DecodeException {
    return read(
        text,
        source,
        json -> {
          var values = new ArrayList<Located>();
          while (json.parser.nextToken() != null) {
            values.add(json.located(0));
          }
          return values;
        });
  }

  /** Whether all surrogates in the text are paired, so that it can be encoded in UTF-8. */
  public static boolean wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private interface Reading<V> {
    V of(JsonText json) throws IOException, DecodeException;
  }

  private static <V> V read(String text, String source, Reading<V> reading) throws DecodeException {
    if (text.length() > Json.MAX_LENGTH) {
      throw new DecodeException(
          Problem.at(source, 0, 0, "longer than " + Json.MAX_LENGTH + " characters"));
    }
    try (var parser = FACTORY.createParser(text)) {
      return reading.of(new JsonText(parser, source));
    } catch (JsonProcessingException e) {
      throw new DecodeException(problem(source, e.getLocation(), e.getOriginalMessage()));
    } catch (IOException impossible) { // the text is in memory
      throw new UncheckedIOException(impossible);
    }
  }

  private @Nullable Object plain(int depth) throws IOException, DecodeException {
    var token = parser.currentToken();
    if (token == null) {
      throw problem("expected a value, found the end of the text");
    }
    return switch (token) {
      case START_OBJECT -> object(depth);
      case START_ARRAY -> array(depth);
      case VALUE_STRING -> text();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> finite(JsonNumber.inSchedule(parser));
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw problem("expected a value");
    };
  }

  private Map<String, @Nullable Object> object(int depth) throws IOException, DecodeException {
    deeper(depth);
    var map = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = text();
      if (unique && map.containsKey(name)) {
        throw duplicate();
      }
      parser.nextToken();
      map.put(name, plain(depth + 1));
    }
    return Collections.unmodifiableMap(map);
  }

  private List<@Nullable Object> array(int depth) throws IOException, DecodeException {
    deeper(depth);
    var list = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(plain(depth + 1));
    }
    return Collections.unmodifiableList(list);
  }

  private Located located(int depth) throws IOException, DecodeException {
    var token = parser.currentToken();
    var place = place(parser.currentTokenLocation());
    if (token == JsonToken.START_OBJECT) {
      deeper(depth);
      var fields = new ArrayList<Located.Field>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var at = place(parser.currentTokenLocation());
        var name = text();
        parser.nextToken();
        fields.add(new Located.Field(at, name, located(depth + 1)));
      }
      return new Located.Fields(place, fields);
    }
    if (token == JsonToken.START_ARRAY) {
      deeper(depth);
      var items = new ArrayList<Located>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(located(depth + 1));
      }
      return new Located.Items(place, items);
    }
    boolean number = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
    return new Located.Scalar(place, number ? finite(JsonNumber.inObject(parser)) : plain(depth));
  }

  private void deeper(int depth) throws DecodeException {
    if (depth >= Json.MAX_DEPTH) {
      throw problem("nested deeper than " + Json.MAX_DEPTH + " levels");
    }
  }

  private Number finite(Number number) throws IOException, DecodeException {
    if (Double.isInfinite(number.doubleValue()) && number instanceof Double) {
      throw problem("the number is out of range");
    }
    return number;
  }

  private String text() throws IOException, DecodeException {
    var text = parser.getText();
    if (!wellFormed(text)) {
      throw problem("the string contains half a surrogate pair");
    }
    return text;
  }

  private DecodeException duplicate() {
    var at = parser.currentTokenLocation();
    var path = path(parser.getParsingContext()).toString();
    return new DecodeException(
        new Problem(
            source, at.getLineNr(), at.getColumnNr(), path, "duplicate field", Optional.empty()));
  }

  private static FieldPath path(JsonStreamContext at) {
    if (at.getParent() == null) {
      return FieldPath.ROOT;
    }
    var parent = path(at.getParent());
    return at.inArray()
        ? parent.item(at.getCurrentIndex())
        : parent.field(String.valueOf(at.getCurrentName()));
  }

  private DecodeException problem(String message) {
    return new DecodeException(problem(source, parser.currentTokenLocation(), message));
  }

  private static Problem problem(String source, @Nullable JsonLocation at, String message) {
    return at == null
        ? Problem.at(source, 0, 0, message)
        : Problem.at(source, at.getLineNr(), at.getColumnNr(), message);
  }

  private static Located.Place place(JsonLocation at) {
    return new Located.Place(at.getLineNr(), at.getColumnNr());
  }
}
