package verwalter.model.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.json.DecodeException;
import verwalter.model.json.JsonText;
import verwalter.model.json.Problem;

/**
 * Reads and writes objects as JSON and YAML in the shape of Kubernetes. Input of users is read
 * strictly; data that Verwalter wrote is read without checks.
 */
public final class Codec {
  /** The limit of the text of {@link #read(String, String)}, in bytes of UTF-8. */
  public static final int MAX_BYTES = 1_500_000;

  /** The size of the name of the status field in {@link #json}, in bytes. */
  public static final int STATUS_FIELD = ",\"status\":".length();

  /** Compact JSON, one line. */
  public static byte[] json(Resource<?, ?> resource) {
    try (var bytes = new ByteArrayBuilder();
        var out = Wire.MAPPER.createGenerator(bytes)) {
      write(resource, out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  /** The size of {@link #json} in bytes. */
  public static int length(Resource<?, ?> resource) {
    try (var count = new ByteCount();
        var out = Wire.MAPPER.createGenerator(count)) {
      write(resource, out);
      out.flush();
      return count.bytes();
    } catch (IOException impossible) { // it is only counted
      throw new UncheckedIOException(impossible);
    }
  }

  /** The JSON of the spec, as contained in {@link #json}. */
  public static <S, T> byte[] specJson(Resource<S, T> resource) {
    try {
      return Wire.of(resource.type()).spec(resource);
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  /** The JSON of a status, as contained in {@link #json}. */
  public static <S, T> byte[] statusJson(Kind<S, T> kind, T status) {
    try {
      return Wire.of(kind).status(status);
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  /** The size of {@link #json} without the spec and the status, in bytes. */
  public static <S, T> int envelope(Resource<S, T> resource) {
    try {
      return Wire.of(resource.type()).envelope(resource)
          + (resource.status().isPresent() ? STATUS_FIELD : 0);
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Reads the output of {@link #specJson}, without checks as {@link #fromJson}.
   *
   * @throws IOException if the bytes are not such a spec
   */
  public static <S, T> S spec(Kind<S, T> kind, byte[] json) throws IOException {
    return Wire.of(kind).spec(json);
  }

  /**
   * Reads the output of {@link #statusJson}, without checks as {@link #fromJson}.
   *
   * @throws IOException if the bytes are not such a status
   */
  public static <S, T> T status(Kind<S, T> kind, byte[] json) throws IOException {
    return Wire.of(kind).status(json);
  }

  /** The object as YAML for display. */
  public static String yaml(Resource<?, ?> resource) {
    return YamlWriter.text(tree(resource));
  }

  /** The object as a Jackson tree: {@code apiVersion, kind, metadata, spec, status}. */
  public static ObjectNode tree(Resource<?, ?> resource) {
    try (var buffer = new TokenBuffer(Wire.MAPPER, false)) {
      write(resource, buffer);
      return Wire.MAPPER.readTree(buffer.asParser());
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  private static <S, T> void write(Resource<S, T> resource, JsonGenerator out) throws IOException {
    Wire.of(resource.type()).write(resource, out);
  }

  /**
   * Reads the output of {@link #json}; for stores. Unknown fields are ignored.
   *
   * @throws IOException if the bytes are not such an object
   */
  public static Resource<?, ?> fromJson(byte[] json) throws IOException {
    return Wire.read(json);
  }

  /**
   * Reads input of a user: YAML with any number of documents, or JSON if the text begins with a
   * brace. Values are not converted: unknown, missing and duplicate fields and values of another
   * type are problems. Lists of objects ({@code kind: List}) are unpacked, empty documents are
   * skipped.
   *
   * @param source name of the text in problems, such as its file
   * @throws DecodeException with all problems
   */
  public static List<Resource<?, ?>> read(String text, String source) throws DecodeException {
    if (isLongerThan(MAX_BYTES, text)) {
      throw new DecodeException(
          Problem.at(source, 0, 0, "more than " + MAX_BYTES + " bytes; split it"));
    }
    var documents =
        text.stripLeading().startsWith("{")
            ? JsonText.located(text, source)
            : YamlText.located(text, source, 2 * MAX_BYTES);
    return StrictReader.all(documents, source);
  }

  /**
   * Reads a file of a user that is one record, in YAML, as strictly as {@link #read(String,
   * String)}.
   *
   * @param source name of the file in problems
   * @throws DecodeException with all problems
   */
  public static <R extends Record> R file(String text, String source, Class<R> type)
      throws DecodeException {
    if (isLongerThan(MAX_BYTES, text)) {
      throw new DecodeException(Problem.at(source, 0, 0, "more than " + MAX_BYTES + " bytes"));
    }
    return StrictReader.record(YamlText.located(text, source, 2 * MAX_BYTES), source, type);
  }

  /**
   * Reads an object of a known kind from a tree, as strictly as {@link #read(String, String)}. Its
   * problems have no line numbers.
   *
   * @throws DecodeException with all problems
   */
  public static <S, T> Resource<S, T> read(JsonNode tree, Kind<S, T> expected)
      throws DecodeException {
    return StrictReader.one(JsonTree.located(tree, MAX_BYTES), expected);
  }

  /** Compact JSON of a record that is a part of specs and statuses. */
  public static String partJson(Record part) {
    try {
      return Wire.MAPPER.writeValueAsString(part);
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Reads the output of {@link #partJson}. Unknown fields are ignored.
   *
   * @throws IOException if the text is not such a record
   */
  public static <R extends Record> R part(String json, Class<R> type) throws IOException {
    return Wire.MAPPER.readValue(json, type);
  }

  static boolean isLongerThan(int bytes, String text) {
    return text.length() > bytes
        || (text.length() > bytes / 3 && text.getBytes(StandardCharsets.UTF_8).length > bytes);
  }

  private Codec() {}
}
