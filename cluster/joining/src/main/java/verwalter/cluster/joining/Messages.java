package verwalter.cluster.joining;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Records as JSON. Unknown fields are ignored, so that newer members can add some. */
final class Messages {
  /** The limit of a message, in bytes. */
  static final int MOST_BYTES = 64 << 10;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxTokenCount(50_000)
                          .maxNestingDepth(10)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  static String text(Object message) {
    try {
      return MAPPER.writeValueAsString(message);
    } catch (JsonProcessingException impossible) { // records of texts
      throw new IllegalStateException(impossible);
    }
  }

  static <T> T read(String text, Class<T> type) throws JsonProcessingException {
    var message = MAPPER.readValue(text, type);
    if (message == null) {
      throw new com.fasterxml.jackson.core.JsonParseException(null, "there is no content");
    }
    return message;
  }

  private Messages() {}
}
