package verwalter.stores.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.model.codec.SharedValues;

/**
 * The spec or the status of an object as JSON, as a decoded value, or both. Content that was read
 * from a file is decoded at its first use, so that a store opens quickly. Two contents are equal if
 * their JSON is equal, which is decided by a digest.
 *
 * <p>The JSON of a spec contains references instead of long free-form mappings; see {@link
 * SharedValues}.
 */
final class Content {
  /** The parts of an object. */
  enum Part {
    SPEC,
    STATUS
  }

  private final Kind<?, ?> kind;
  private final Part part;
  private final int length;
  private final int heap;
  private final long high;
  private final long low;

  /** The hashes of referenced values until {@link #resolved} finds the values. */
  private final List<String> references;

  private final Map<String, StoredValue> values;
  private volatile @Nullable ByteBuffer json;
  private volatile @Nullable Object value;

  private Content(
      Kind<?, ?> kind,
      Part part,
      ByteBuffer json,
      @Nullable Object value,
      List<String> references,
      Map<String, StoredValue> values) {
    this.references = references;
    this.values = values;
    this.kind = kind;
    this.part = part;
    this.json = json;
    this.value = value;
    this.length = json.remaining();
    this.heap = HeapEstimate.json(json);
    var digest = ByteBuffer.wrap(sha256(json));
    this.high = digest.getLong();
    this.low = digest.getLong();
  }

  private Content(Content other, Map<String, StoredValue> values, @Nullable Object value) {
    this.kind = other.kind;
    this.part = other.part;
    this.length = other.length;
    this.heap = other.heap;
    this.high = other.high;
    this.low = other.low;
    this.references = other.references;
    this.values = values;
    this.json = other.json;
    this.value = value;
  }

  /** Reads a spec from a log. The buffer is not copied and must not change afterwards. */
  static Content readSpec(Kind<?, ?> kind, ByteBuffer body) {
    var json = Sink.block(body, body.getInt());
    int count = body.getInt();
    var references = new ArrayList<String>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      references.add(Sink.text(body));
    }
    return new Content(kind, Part.SPEC, json, null, List.copyOf(references), Map.of());
  }

  /** Creates the status with this JSON. The buffer must not change afterwards. */
  static Content readStatus(Kind<?, ?> kind, ByteBuffer json) {
    return new Content(kind, Part.STATUS, json, null, List.of(), Map.of());
  }

  static <S, T> Content spec(Resource<S, T> resource) {
    var detached = SharedValues.detach(resource.spec());
    var all = StoredValue.of(detached.values());
    var values = new LinkedHashMap<String, StoredValue>();
    for (var hash : SharedValues.references(detached.spec())) {
      values.put(hash, Objects.requireNonNull(all.get(hash)));
    }
    var json = ByteBuffer.wrap(Codec.specJson(resource.withSpec(detached.spec())));
    return new Content(
        resource.type(),
        Part.SPEC,
        json,
        resource.spec(),
        List.copyOf(values.keySet()),
        ordered(values));
  }

  /** Writes the bytes of a spec. */
  void writeSpec(Sink sink) {
    sink.block(json());
    sink.number(references.size());
    references.forEach(sink::text);
  }

  /** The values that its JSON refers to; all of them once it is {@link #resolved}. */
  Collection<StoredValue> values() {
    return values.values();
  }

  /**
   * Returns a copy with the values that it refers to.
   *
   * @param find returns a value by its hash, or null if there is none
   * @return null if a value is missing
   */
  @Nullable Content resolved(Function<String, @Nullable StoredValue> find) {
    var found = new LinkedHashMap<String, StoredValue>();
    boolean same = values.size() == references.size();
    for (var hash : references) {
      var each = find.apply(hash);
      if (each == null) {
        return null;
      }
      same &= each == values.get(hash);
      found.put(hash, each);
    }
    return same ? this : new Content(this, ordered(found), value);
  }

  /** The same entries in the same order, so that replicas write them alike. */
  private static Map<String, StoredValue> ordered(Map<String, StoredValue> values) {
    return values.isEmpty() ? Map.of() : Collections.unmodifiableMap(values);
  }

  static <S, T> @Nullable Content status(Resource<S, T> resource) {
    if (resource.status().isEmpty()) {
      return null;
    }
    var status = resource.status().get();
    var json = ByteBuffer.wrap(Codec.statusJson(resource.type(), status));
    return new Content(resource.type(), Part.STATUS, json, status, List.of(), Map.of());
  }

  /** The size of its JSON in bytes. */
  int length() {
    return length;
  }

  /** The estimated memory of the decoded content in bytes. */
  int heap() {
    return heap;
  }

  boolean sameAs(@Nullable Content other) {
    return other != null && high == other.high && low == other.low && length == other.length;
  }

  static boolean same(@Nullable Content one, @Nullable Content other) {
    return one == null ? other == null : one.sameAs(other);
  }

  /**
   * Returns the decoded value.
   *
   * @throws UncheckedIOException with an {@link UnknownObject}, if this version cannot read it
   */
  Object value() {
    var decoded = value;
    if (decoded != null) {
      return decoded;
    }
    decoded = decode(bytes());
    value = decoded;
    json = null;
    return decoded;
  }

  /** Returns its JSON, which is encoded again if it was released. */
  ByteBuffer json() {
    var held = json;
    return held != null ? held.duplicate() : encode(value());
  }

  /** Returns a copy as JSON only, which is decoded when it is used. */
  Content packed() {
    var copy = new Content(this, values, null);
    if (copy.json == null) {
      copy.json = json();
    }
    return copy;
  }

  /** Releases the JSON if the value is decoded. */
  void settle() {
    if (value != null) {
      json = null;
    }
  }

  private byte[] bytes() {
    var from = json();
    var bytes = new byte[from.remaining()];
    from.get(bytes);
    return bytes;
  }

  private Object decode(byte[] bytes) {
    try {
      return part == Part.SPEC ? attached(kind, bytes) : Codec.status(kind, bytes);
    } catch (IOException | RuntimeException notUnderstood) {
      throw new UncheckedIOException(
          new UnknownObject(kind.name(), String.valueOf(notUnderstood.getMessage())));
    }
  }

  private <S> S attached(Kind<S, ?> of, byte[] bytes) throws IOException {
    var spec = Codec.spec(of, bytes);
    return references.isEmpty() ? spec : SharedValues.attach(spec, this::map);
  }

  private Map<String, Object> map(String hash) throws IOException {
    var found = values.get(hash);
    if (found == null) {
      throw new IOException("the value " + hash + " is missing");
    }
    return found.map();
  }

  private ByteBuffer encode(Object decoded) {
    return ByteBuffer.wrap(encode(kind, decoded));
  }

  @SuppressWarnings("unchecked") // it was decoded as that part of that kind
  private <S, T> byte[] encode(Kind<S, T> of, Object decoded) {
    return part == Part.SPEC
        ? Codec.specJson(Resource.of(of, "any", SharedValues.detach((S) decoded).spec()))
        : Codec.statusJson(of, (T) decoded);
  }

  private static byte[] sha256(ByteBuffer json) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(json.duplicate());
      return digest.digest();
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new IllegalStateException(impossible);
    }
  }
}
