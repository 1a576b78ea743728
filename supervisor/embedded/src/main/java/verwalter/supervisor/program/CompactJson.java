package verwalter.supervisor.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;

/** Compact JSON that keeps the order of its members. */
final class CompactJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static String of(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private CompactJson() {}
}
