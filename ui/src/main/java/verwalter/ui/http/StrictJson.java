package verwalter.ui.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Converts trees to bytes and back. Parsing is strict: no duplicate keys, no trailing content. */
public final class StrictJson {
  /** The largest number of tokens of a body. Each object or array takes about 150 bytes. */
  private static final int MOST_TOKENS = 300_000;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).maxNestingDepth(200).build();

  private static final ObjectMapper JSON = strict(StreamReadConstraints.defaults());
  private static final ObjectMapper BODY = strict(LIMITS);
  private static final ObjectWriter PRETTY =
      JSON.writer(
          new DefaultPrettyPrinter()
              .withObjectIndenter(new DefaultIndenter("  ", "\n"))
              .withArrayIndenter(new DefaultIndenter("  ", "\n")));
  private static final ObjectMapper YAML =
      YAMLMapper.builder(YAMLFactory.builder().streamReadConstraints(LIMITS).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_LONG_FOR_INTS)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private static ObjectMapper strict(StreamReadConstraints limits) {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(limits).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_LONG_FOR_INTS)
        .build();
  }

  /** Compact JSON. */
  public static Buffer json(JsonNode tree) {
    try {
      return Buffer.buffer(JSON.writeValueAsBytes(tree));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Indented JSON with a final newline, for people. */
  public static Buffer pretty(Object value) {
    try {
      return Buffer.buffer(PRETTY.writeValueAsBytes(value)).appendByte((byte) '\n');
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** YAML, for people. */
  public static Buffer yaml(JsonNode tree) {
    try {
      return Buffer.buffer(YAML.writeValueAsBytes(tree));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** A plain value as a tree. */
  public static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  /**
   * Parses a body as YAML if the media type says so, otherwise as JSON.
   *
   * @throws RequestProblem 400 with the position of the error, also if it has too many values or
   *     levels
   */
  public static JsonNode parse(Buffer body, String mediaType) {
    boolean yaml = mediaType.toLowerCase(Locale.ROOT).contains("yaml");
    return parse(body, yaml ? YAML : BODY, yaml ? "YAML" : "JSON");
  }

  /** Parses JSON that this server wrote, of any size. */
  public static JsonNode parseOwn(Buffer text) {
    return parse(text, JSON, "JSON");
  }

  private static JsonNode parse(Buffer body, ObjectMapper mapper, String language) {
    try {
      var tree = mapper.readTree(body.getBytes());
      if (tree == null || tree.isMissingNode() || tree.isNull()) {
        throw RequestProblem.badRequest("the request has no body; send the object as JSON or YAML");
      }
      return tree;
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw RequestProblem.badRequest(
          "the body is not %s: %s%s"
              .formatted(
                  language,
                  e.getOriginalMessage(),
                  at == null
                      ? ""
                      : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr())));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private StrictJson() {}
}
