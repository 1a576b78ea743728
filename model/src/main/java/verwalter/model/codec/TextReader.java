package verwalter.model.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.RecentTexts;

/** Reads a text as Jackson does; equal short texts of several objects become one. */
final class TextReader extends StringDeserializer {
  private static final long serialVersionUID = 1L;

  @Override
  public @Nullable String deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    var text = super.deserialize(parser, context);
    return text == null ? null : RecentTexts.shared(text);
  }
}
