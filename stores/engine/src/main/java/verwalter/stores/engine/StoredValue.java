package verwalter.stores.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import verwalter.model.codec.SharedValues;

/**
 * A free-form mapping that objects refer to by its hash: kept once, compressed, however many
 * objects say it. Its bytes are {@code text hash | int length | block of the JSON}, which is
 * deflated if that makes it shorter.
 */
final class StoredValue {
  /** The longest JSON of one mapping, in bytes. */
  static final int MAX_BYTES = 64 << 20;

  private static final int WORTH_PACKING = 512;

  private final String hash;
  private final int length;
  private final int heap;
  private final ByteBuffer packed;
  private volatile @Nullable WeakReference<Map<String, Object>> decoded;

  private StoredValue(String hash, int length, int heap, ByteBuffer packed) {
    this.hash = hash;
    this.length = length;
    this.heap = heap;
    this.packed = packed;
  }

  static StoredValue of(SharedValues.Value value) {
    var json = value.json();
    return new StoredValue(
        value.hash(), json.remaining(), HeapEstimate.json(json), packed(json.duplicate()));
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

  /** How many bytes its JSON has. */
  int length() {
    return length;
  }

  /** How many bytes it takes in a log. */
  int packedLength() {
    return packed.remaining();
  }

  /** How many bytes it takes in memory, decoded too; an estimate. */
  long heap() {
    return (long) heap + packed.remaining();
  }

  /**
   * The mapping; the same instance for everybody, as long as somebody holds it.
   *
   * @throws IOException if its bytes are damaged
   */
  Map<String, Object> map() throws IOException {
    var held = decoded;
    var map = held == null ? null : held.get();
    if (map == null) {
      var json = json();
      if (!SharedValues.hash(json).equals(hash)) {
        throw new IOException("the value " + hash + " is damaged: it has another hash");
      }
      map = SharedValues.read(json);
      decoded = new WeakReference<>(map);
    }
    return map;
  }

  private ByteBuffer json() throws IOException {
    if (packed.remaining() == length) {
      return packed.duplicate();
    }
    var inflater = new Inflater();
    try {
      inflater.setInput(packed.duplicate());
      var json = ByteBuffer.allocate(length);
      while (json.hasRemaining() && inflater.inflate(json) > 0) {
        // goes on until there is no more
      }
      if (json.hasRemaining() || !inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw new IOException("the value " + hash + " does not have its length");
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
    sink.block(packed);
  }

  /**
   * Reads what {@link #write} wrote; the buffer must not change any more.
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
    return new StoredValue(hash, length, heap, packed);
  }
}
