package verwalter.stores.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/**
 * The spec or the status of an object: its JSON, the value that it means, or both. What was read
 * from a file stays JSON until it is first looked at: a store opens faster than it could decode all
 * it holds. Two contents are the same if their JSON is, which a digest tells without either.
 */
final class Content {
  /** Which part of an object. */
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
  private volatile @Nullable ByteBuffer json;
  private volatile @Nullable Object value;

  private Content(Kind<?, ?> kind, Part part, ByteBuffer json, @Nullable Object value) {
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

  /** The content that this JSON means. The buffer must not change any more. */
  static Content read(Kind<?, ?> kind, Part part, ByteBuffer json) {
    return new Content(kind, part, json, null);
  }

  static Content spec(Resource<?, ?> resource) {
    var json = ByteBuffer.wrap(Codec.specJson(resource));
    return new Content(resource.type(), Part.SPEC, json, resource.spec());
  }

  static <S, T> @Nullable Content status(Resource<S, T> resource) {
    if (resource.status().isEmpty()) {
      return null;
    }
    var status = resource.status().get();
    var json = ByteBuffer.wrap(Codec.statusJson(resource.type(), status));
    return new Content(resource.type(), Part.STATUS, json, status);
  }

  /** How many bytes its JSON has. */
  int length() {
    return length;
  }

  /** How many bytes it takes in memory, decoded; an estimate. */
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
   * What it means.
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

  /** Its JSON; encoded again if it was let go of. */
  ByteBuffer json() {
    var held = json;
    return held != null ? held.duplicate() : encode(value());
  }

  /** Lets go of the JSON if the value is there: nobody will write it soon. */
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
      return part == Part.SPEC ? Codec.spec(kind, bytes) : Codec.status(kind, bytes);
    } catch (IOException | RuntimeException notUnderstood) {
      throw new UncheckedIOException(
          new UnknownObject(kind.name(), String.valueOf(notUnderstood.getMessage())));
    }
  }

  private ByteBuffer encode(Object decoded) {
    return ByteBuffer.wrap(encode(kind, decoded));
  }

  @SuppressWarnings("unchecked") // it was decoded as that part of that kind
  private <S, T> byte[] encode(Kind<S, T> of, Object decoded) {
    return part == Part.SPEC
        ? Codec.specJson(Resource.of(of, "any", (S) decoded))
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
