package verwalter.stores.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import verwalter.model.codec.SharedValues;

/**
 * A free-form mapping that objects refer to by its hash. It is stored once, compressed. A large
 * mapping is split and refers to others; see {@link SharedValues}.
 *
 * <p>Its bytes are {@code text hash | int length | int heap | block of the JSON}, deflated if that
 * is shorter.
 */
final class StoredValue {
  /** The limit of the JSON of a mapping including everything that it refers to, in bytes. */
  static final int MAX_BYTES = 64 << 20;

  private static final int WORTH_PACKING = 512;

  private final String hash;
  private final int length;
  private final int heap;
  private final List<StoredValue> children;

  /** The compressed JSON, or the plain JSON until the compressed form is needed. */
  private volatile ByteBuffer bytes;

  private volatile boolean packed;
  private volatile @Nullable WeakReference<Map<String, Object>> decoded;

  private StoredValue(
      String hash,
      int length,
      int heap,
      ByteBuffer bytes,
      boolean packed,
      List<StoredValue> children) {
    this.hash = hash;
    this.length = length;
    this.heap = heap;
    this.bytes = bytes;
    this.packed = packed;
    this.children = children;
  }

  /** Creates the values of a spec with the values that they refer to, by hash. */
  static Map<String, StoredValue> of(List<SharedValues.Value> values) {
    var made = new LinkedHashMap<String, StoredValue>();
    for (var each : values) { // children first
      var children = each.children().stream().map(made::get).map(Objects::requireNonNull).toList();
      var json = each.json();
      made.put(
          each.hash(),
          new StoredValue(
              each.hash(),
              json.remaining(),
              HeapEstimate.json(json),
              json.duplicate(),
              false,
              children));
    }
    return Collections.unmodifiableMap(made);
  }

  private static ByteBuffer packed(ByteBuffer json) {
    if (json.remaining() < WORTH_PACKING) {
      return json;
    }
    var deflater = new Deflater();
    try {
      deflater.setInput(json.duplicate());
      deflater.finish();
      var out = new ByteArrayOutputStream(json.remaining() / 4);
      var piece = new byte[8 << 10];
      while (!deflater.finished()) {
        out.write(piece, 0, deflater.deflate(piece));
      }
      return out.size() < json.remaining() ? ByteBuffer.wrap(out.toByteArray()) : json;
    } finally {
      deflater.end();
    }
  }

  String hash() {
    return hash;
  }

  /** The values that it refers to. */
  List<StoredValue> children() {
    return children;
  }

  /** The size of its JSON including everything that it refers to, in bytes. */
  long wholeLength() {
    long sum = length;
    for (var each : children) {
      sum += each.wholeLength();
    }
    return sum;
  }

  /** The size in a log, in bytes. */
  int packedLength() {
    return pack().remaining();
  }

  /** The estimated memory in bytes including the decoded mapping, without children. */
  long heap() {
    return (long) heap + pack().remaining();
  }

  /**
   * Compresses the value at the first call. Most values of a write exist already and are never
   * compressed.
   */
  private synchronized ByteBuffer pack() {
    if (!packed) {
      bytes = packed(bytes);
      packed = true;
    }
    return bytes;
  }

  /**
   * Returns a copy with its children.
   *
   * @param find returns a linked value by its hash; null if there is none
   * @return null if one is missing
   * @throws IllegalArgumentException if its bytes are damaged
   */
  @Nullable StoredValue linked(Function<String, @Nullable StoredValue> find) {
    if (!SharedValues.isSplit(hash) || !children.isEmpty()) {
      return this;
    }
    var found = new ArrayList<StoredValue>();
    try {
      for (var each : SharedValues.children(json())) {
        var child = find.apply(each);
        if (child == null) {
          return null;
        }
        found.add(child);
      }
    } catch (IOException damaged) {
      throw new IllegalArgumentException(damaged.getMessage(), damaged);
    }
    return new StoredValue(hash, length, heap, bytes, packed, List.copyOf(found));
  }

  /**
   * Returns the mapping. All callers receive the same instance as long as it is in use.
   *
   * @throws IOException if its bytes are damaged
   */
  Map<String, Object> map() throws IOException {
    var held = decoded;
    var map = held == null ? null : held.get();
    if (map == null) {
      var json = json();
      if (!hash.endsWith(SharedValues.hash(json))) {
        throw new IOException("the value " + hash + " is damaged: its hash differs");
      }
      map = SharedValues.read(json, SharedValues.isSplit(hash), this::child);
      decoded = new WeakReference<>(map);
    }
    return map;
  }

  private Map<String, Object> child(String wanted) throws IOException {
    for (var each : children) {
      if (each.hash.equals(wanted)) {
        return each.map();
      }
    }
    throw new IOException("the value " + wanted + " is missing");
  }

  private ByteBuffer json() throws IOException {
    var held = bytes;
    if (held.remaining() == length) {
      return held.duplicate();
    }
    var inflater = new Inflater();
    try {
      inflater.setInput(held.duplicate());
      var json = ByteBuffer.allocate(length);
      inflater.inflate(json);
      if (json.hasRemaining() || inflater.inflate(new byte[1]) > 0) {
        throw new IOException("the value " + hash + " has another length than recorded");
      }
      return json.flip();
    } catch (DataFormatException damaged) {
      throw new IOException("the value " + hash + " is damaged: " + damaged.getMessage(), damaged);
    } finally {
      inflater.end();
    }
  }

  void write(Sink sink) {
    sink.text(hash);
    sink.number(length);
    sink.number(heap);
    sink.block(pack());
  }

  /**
   * Reads the output of {@link #write}. The value has no children until it is {@link #linked}. The
   * buffer must not change afterwards.
   *
   * @throws IllegalArgumentException if its length is out of bounds
   */
  static StoredValue read(ByteBuffer body) {
    var hash = Sink.text(body);
    int length = body.getInt();
    int heap = body.getInt();
    var packed = Sink.block(body, body.getInt());
    if (length < packed.remaining() || length > MAX_BYTES || heap < 0) {
      throw new IllegalArgumentException("a value of %d bytes".formatted(length));
    }
    return new StoredValue(hash, length, heap, packed, true, List.of());
  }
}
