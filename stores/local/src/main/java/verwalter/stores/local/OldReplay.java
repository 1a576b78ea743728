package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;
import verwalter.stores.engine.Sink;

/**
 * Reads the objects of format 1, which verwalter 0.1 wrote.
 *
 * <p>A transaction is {@code long revision | long durable | long time | int count | operations}. An
 * operation is {@code byte what | text kind | text name}, and for a put {@code text uid | long
 * generation | long created | long deleted | short count | owners | int length | JSON}, where an
 * owner is three strings: kind, name and uid. An object in a snapshot is {@code text kind | text
 * name | long version}, and then as in a put. Times are in milliseconds since 1970.
 */
final class OldReplay implements JournalReplay {
  private static final byte CREATED = 1;
  private static final byte CHANGED = 2;
  private static final byte MARKED = 3;
  private static final byte REMOVED = 4;
  private static final int END = -1;
  private static final long NEVER = Long.MIN_VALUE;

  /** An object. Its JSON is decoded at the end only, since most objects are replaced before. */
  private record Old(
      String uid,
      long version,
      long generation,
      long created,
      long deleted,
      List<OwnerReference> owners,
      ByteBuffer json) {
    Old deleted(long revision, long time) {
      return new Old(uid, revision, generation, created, time, owners, json);
    }
  }

  private final Map<ResourceKey, Old> objects = new TreeMap<>();
  private long revision;

  @Override
  public void begin(long index, long version) {
    revision = index;
  }

  @Override
  public boolean block(ByteBuffer body) {
    int rest = body.getInt();
    if (rest == END) {
      if (body.getLong() != objects.size()) {
        throw new IllegalArgumentException("there are %d objects".formatted(objects.size()));
      }
      return true;
    }
    for (; rest > 0; rest--) {
      var key = key(body);
      objects.put(key, put(body.getLong(), body));
    }
    return false;
  }

  @Override
  public void entry(ByteBuffer body) {
    long next = body.getLong();
    long durable = body.getLong();
    if (next != revision + 1 || durable >= next) {
      throw new IllegalArgumentException("revision %d follows %d".formatted(next, revision));
    }
    revision = next;
    long time = body.getLong();
    for (int rest = body.getInt(); rest > 0; rest--) {
      operation(body, time);
    }
  }

  private void operation(ByteBuffer body, long time) {
    byte what = body.get();
    var key = key(body);
    if (what == CREATED || what == CHANGED) {
      objects.put(key, put(revision, body));
      return;
    }
    var before = objects.remove(key);
    if (before == null || (what != MARKED && what != REMOVED)) {
      throw new IllegalArgumentException(key + " is not there");
    }
    if (what == MARKED) {
      objects.put(key, before.deleted(revision, time));
    }
  }

  private static ResourceKey key(ByteBuffer body) {
    return new ResourceKey(Sink.text(body), Sink.text(body));
  }

  private static Old put(long version, ByteBuffer body) {
    var uid = Sink.text(body);
    long generation = body.getLong();
    long created = body.getLong();
    long deleted = body.getLong();
    var owners = new ArrayList<OwnerReference>();
    for (int rest = Short.toUnsignedInt(body.getShort()); rest > 0; rest--) {
      owners.add(new OwnerReference(Sink.text(body), Sink.text(body), Sink.text(body)));
    }
    var json = body.slice(body.position() + Integer.BYTES, body.getInt(body.position()));
    body.position(body.position() + Integer.BYTES + json.remaining());
    return new Old(uid, version, generation, created, deleted, owners, json);
  }

  @Override
  public long index() {
    return revision;
  }

  /**
   * The objects in the present state.
   *
   * @throws StoreFormat if this version cannot read an object
   */
  List<Resource<?, ?>> objects() throws StoreFormat {
    var decoded = new ArrayList<Resource<?, ?>>(objects.size());
    for (var each : objects.entrySet()) {
      decoded.add(decoded(each.getKey(), each.getValue()));
    }
    return decoded;
  }

  private static Resource<?, ?> decoded(ResourceKey key, Old object) throws StoreFormat {
    var bytes = new byte[object.json().remaining()];
    object.json().duplicate().get(bytes);
    try {
      var resource = Codec.fromJson(bytes);
      var meta =
          resource
              .meta()
              .committed(
                  object.uid(),
                  object.version(),
                  object.generation(),
                  time(object.created()),
                  time(object.deleted()));
      return resource.withMeta(meta);
    } catch (IOException | RuntimeException notUnderstood) {
      throw new StoreFormat(
          "%s cannot be read by this version (%s); use the version that wrote it"
              .formatted(key, notUnderstood.getMessage()));
    }
  }

  private static Optional<Instant> time(long millis) {
    return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
