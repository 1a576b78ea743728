package verwalter.scheduler.record;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/**
 * A JSON object of any size as compressed lines: alternately the path of a part, such as {@code
 * ["input","parents",0]}, and its value. A value too long for one line is split into its entries.
 */
final class ChunkedJson {
  /**
   * The maximum size of a value in UTF-16 units, half of what can be parsed; longer ones are split.
   */
  private static final int LONGEST = Json.MAX_LENGTH / 2;

  /** The maximum uncompressed size of a file, in bytes. */
  private static final long MOST = 512L << 20;

  private final Writer out;

  private ChunkedJson(Writer out) {
    this.out = out;
  }

  /** The object's text, compressed. */
  static byte[] pack(Map<String, Object> object) {
    return pack(object, Map.of());
  }

  /**
   * The object's text, compressed.
   *
   * @param known the canonical texts of some of its values, which are not made again
   */
  static byte[] pack(Map<String, Object> object, Map<String, String> known) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new OutputStreamWriter(new FastGzip(bytes), StandardCharsets.UTF_8)) {
      var parts = new ChunkedJson(out);
      for (var entry : object.entrySet()) {
        var text = known.get(entry.getKey());
        parts.write(
            List.of(entry.getKey()),
            entry.getValue(),
            text == null ? Json.canonical(entry.getValue()) : text);
      }
    } catch (IOException impossible) { // everything is in memory
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private void write(List<Object> path, @Nullable Object value) throws IOException {
    write(path, value, Json.canonical(value));
  }

  private void write(List<Object> path, @Nullable Object value, String text) throws IOException {
    if (text.length() <= LONGEST || !(value instanceof Map || value instanceof List)) {
      out.append(Json.canonical(path)).append('\n').append(text).append('\n');
    } else if (value instanceof Map<?, ?> map) {
      for (var entry : map.entrySet()) {
        write(below(path, String.valueOf(entry.getKey())), entry.getValue());
      }
    } else {
      var list = (List<?>) value;
      for (int i = 0; i < list.size(); i++) {
        write(below(path, (long) i), list.get(i));
      }
    }
  }

  private static List<Object> below(List<Object> path, Object step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  /**
   * Parses the object of a compressed text.
   *
   * @throws IOException if it is truncated, corrupt, or has another format
   */
  static Map<String, Object> unpack(InputStream packed) throws IOException {
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    var whole = new LinkedHashMap<String, Object>();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(new Bounded(new GZIPInputStream(packed)), decoder))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var value = lines.readLine();
        if (!(Json.parse(line) instanceof List<?> path) || path.isEmpty() || value == null) {
          throw new IOException("a part without a path or a value");
        }
        put(whole, path, 0, Json.parse(value));
      }
    } catch (DecodeException | ClassCastException | IndexOutOfBoundsException malformed) {
      throw new IOException("not a record: " + malformed.getMessage(), malformed);
    }
    return whole;
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // containers on a path are always created here; a value may be null
  private static Object put(
      @Nullable Object place, List<?> path, int depth, @Nullable Object value) {
    if (depth == path.size()) {
      return value;
    }
    if (path.get(depth) instanceof String key) {
      var map = place == null ? new LinkedHashMap<String, Object>() : (Map<String, Object>) place;
      map.put(key, put(map.get(key), path, depth + 1, value));
      return map;
    }
    var list = place == null ? new ArrayList<Object>() : (List<Object>) place;
    int index = Math.toIntExact((Long) path.get(depth));
    if (index == list.size()) {
      list.add(put(null, path, depth + 1, value));
    } else {
      list.set(index, put(list.get(index), path, depth + 1, value));
    }
    return list;
  }

  /** Compresses for speed, since the cluster waits while a record is written. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out, 64 << 10);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Limits the size of the uncompressed text. */
  private static final class Bounded extends FilterInputStream {
    private long left = MOST;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("it unfolds to more than " + MOST + " bytes");
      }
    }
  }
}
