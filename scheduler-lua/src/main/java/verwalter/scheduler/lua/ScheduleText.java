package verwalter.scheduler.lua;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Strict JSON to plain values: one value, no text after it, integers and floats kept apart. */
final class ScheduleText {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** The text is no JSON; the message says why and where. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  static @Nullable Object parse(String text) throws Malformed {
    try {
      var value = MAPPER.readValue(text, Object.class);
      finite(value);
      return value;
    } catch (JsonProcessingException problem) {
      var place = problem.getLocation();
      throw new Malformed(
          problem.getOriginalMessage()
              + (place == null
                  ? ""
                  : " at line " + place.getLineNr() + " column " + place.getColumnNr()));
    }
  }

  private static void finite(@Nullable Object value) throws Malformed {
    if (value instanceof Map<?, ?> map) {
      for (var each : map.values()) {
        finite(each);
      }
    } else if (value instanceof List<?> list) {
      for (var each : list) {
        finite(each);
      }
    } else if (value instanceof Double number && number.isInfinite()) {
      throw new Malformed("number out of range");
    }
  }

  private ScheduleText() {}
}
