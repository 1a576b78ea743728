package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.ResourceKey;
import verwalter.stores.api.StoreException;

/**
 * An entry of a log: a transaction, or the beginning of an epoch. Its effect depends only on the
 * entry and on the state before it.
 *
 * <p>Its bytes are {@code byte what | long epoch | long time}, and for a transaction {@code int
 * count | writes}. A write is {@code byte what | text kind | text name | text uid | long version},
 * and then, for a put, {@code text uid of a new object | metadata | head | JSON of the spec |
 * status of a new object}, and for a status the status; the writes are followed by {@code int count
 * | values}, the values that specs refer to and that the state does not contain yet. Times are in
 * milliseconds since 1970.
 */
public final class Entry {
  private static final byte TRANSACTION = 1;
  private static final byte EPOCH = 2;
  private static final byte PUT = 1;
  private static final byte STATUS = 2;
  private static final byte REMOVE = 3;
  private static final long ANY = -1;

  /** The approximate size of a write in a log without its contents. */
  private static final long WRITE = 256;

  private final byte what;
  private final long epoch;
  private final Instant time;
  private final List<Change> changes;
  private final Map<String, StoredValue> values;

  /** A write with the expected uid and version of its object. */
  sealed interface Change {
    ResourceKey key();

    /** The uid that the object must have; empty for any. */
    String uid();

    /** The version it must have; 0 for any, or, in a put, for an object that must not exist. */
    long version();

    /** The approximate size in bytes. */
    long size();

    /** Creates an object or replaces its metadata and spec. */
    record Put(
        Kind<?, ?> kind,
        String uid,
        long version,
        String newUid,
        Metadata meta,
        Stored.Head head,
        Content spec,
        Optional<Content> status)
        implements Change {
      @Override
      public ResourceKey key() {
        return kind.key(meta.name());
      }

      @Override
      public long size() {
        return WRITE + head.envelope() + spec.length() + status.map(Content::length).orElse(0);
      }

      Put as(String other) {
        return new Put(kind, uid, version, other, meta, head, spec, status);
      }

      Put with(Content other) {
        return new Put(kind, uid, version, newUid, meta, head, other, status);
      }
    }

    /** Replaces the status of an object. */
    record Status(
        Kind<?, ?> kind, ResourceKey key, String uid, long version, Optional<Content> status)
        implements Change {
      @Override
      public long size() {
        return WRITE + status.map(Content::length).orElse(0);
      }

      Status with(Content other) {
        return new Status(kind, key, uid, version, Optional.of(other));
      }
    }

    /** Requests the removal of an object. */
    record Remove(ResourceKey key, String uid, long version) implements Change {
      @Override
      public long size() {
        return WRITE;
      }
    }

    /** A write that is refused independent of the state. It is never written to a log. */
    record Refused(ResourceKey key, StoreException why) implements Change {
      @Override
      public String uid() {
        return "";
      }

      @Override
      public long version() {
        return 0;
      }

      @Override
      public long size() {
        return 0;
      }
    }
  }

  private Entry(
      byte what, long epoch, Instant time, List<Change> changes, Collection<StoredValue> values) {
    var byHash = new LinkedHashMap<String, StoredValue>();
    values.forEach(each -> byHash.put(each.hash(), each));
    this.values = byHash;
    this.what = what;
    this.epoch = epoch;
    this.time = time;
    this.changes = changes;
  }

  /**
   * A transaction.
   *
   * @param fence the epoch in which it may be committed; empty for any
   * @param time time with a resolution of milliseconds
   * @param values values that its specs refer to and that the state does not contain yet, by hash
   */
  static Entry transaction(
      OptionalLong fence, Instant time, List<Change> changes, Collection<StoredValue> values) {
    return new Entry(TRANSACTION, fence.orElse(ANY), time, List.copyOf(changes), values);
  }

  /**
   * The beginning of an epoch: {@code atLeast}, or the next one after the present epoch if that is
   * larger.
   */
  static Entry epoch(long atLeast, Instant time) {
    return new Entry(EPOCH, atLeast, time, List.of(), List.of());
  }

  boolean beginsEpoch() {
    return what == EPOCH;
  }

  /** The least number of the epoch that the entry begins. */
  long atLeast() {
    return epoch;
  }

  /** Whether it may be committed in {@code present}. */
  boolean admits(long present) {
    return epoch == ANY || epoch == present;
  }

  Instant time() {
    return time;
  }

  List<Change> changes() {
    return changes;
  }

  /** The value with this hash, if the entry contains it. */
  @Nullable StoredValue value(String hash) {
    return values.get(hash);
  }

  /** The approximate size in a log, in bytes. */
  public long size() {
    long sum = WRITE;
    for (var each : changes) {
      sum += each.size();
    }
    for (var each : values.values()) {
      sum += WRITE + each.packedLength();
    }
    return sum;
  }

  /** Writes its bytes. */
  public void write(Sink sink) {
    sink.number(what);
    sink.number(epoch);
    sink.number(time.toEpochMilli());
    if (what == TRANSACTION) {
      sink.number(changes.size());
      changes.forEach(each -> write(sink, each));
      sink.number(values.size());
      values.values().forEach(each -> each.write(sink));
    }
  }

  private static void write(Sink sink, Change change) {
    if (change instanceof Change.Put put) {
      begin(sink, PUT, put);
      sink.text(put.newUid());
      Stored.writeMeta(sink, put.meta());
      Stored.writeHead(sink, put.head());
      put.spec().writeSpec(sink);
      Stored.writeOptional(sink, put.status().orElse(null));
    } else if (change instanceof Change.Status status) {
      begin(sink, STATUS, status);
      Stored.writeOptional(sink, status.status().orElse(null));
    } else if (change instanceof Change.Remove remove) {
      begin(sink, REMOVE, remove);
    } else {
      throw new IllegalArgumentException("a refused write cannot be logged: " + change.key());
    }
  }

  private static void begin(Sink sink, byte what, Change change) {
    sink.number(what);
    sink.text(change.key().kind());
    sink.text(change.key().name());
    sink.text(change.uid());
    sink.number(change.version());
  }

  /**
   * Reads the output of {@link #write}. Contents are not copied: the buffer must not change
   * afterwards.
   *
   * @throws UnknownObject if it contains an unknown kind
   * @throws IllegalArgumentException or another unchecked exception, if the bytes are invalid
   */
  public static Entry read(ByteBuffer body) throws UnknownObject {
    byte what = body.get();
    long epoch = body.getLong();
    var time = Instant.ofEpochMilli(body.getLong());
    if (what == EPOCH) {
      return epoch(epoch, time);
    }
    if (what != TRANSACTION) {
      throw new IllegalArgumentException("an entry of type " + what);
    }
    var changes = new ArrayList<Change>();
    for (int rest = body.getInt(); rest > 0; rest--) {
      changes.add(readChange(body));
    }
    var values = new ArrayList<StoredValue>();
    for (int rest = body.getInt(); rest > 0; rest--) {
      values.add(StoredValue.read(body));
    }
    return new Entry(what, epoch, time, changes, values);
  }

  private static Change readChange(ByteBuffer body) throws UnknownObject {
    byte what = body.get();
    var kind = Stored.readKind(body);
    var key = kind.key(Sink.text(body));
    var uid = Sink.text(body);
    long version = body.getLong();
    return switch (what) {
      case PUT -> {
        var newUid = Sink.text(body);
        var meta = Stored.readMeta(body);
        var head = Stored.readHead(body);
        var spec = Content.readSpec(kind, body);
        var status = Optional.ofNullable(Stored.readStatus(kind, body));
        yield new Change.Put(kind, uid, version, newUid, meta, head, spec, status);
      }
      case STATUS -> {
        var status = Optional.ofNullable(Stored.readStatus(kind, body));
        yield new Change.Status(kind, key, uid, version, status);
      }
      case REMOVE -> new Change.Remove(key, uid, version);
      default -> throw new IllegalArgumentException("a write of type " + what);
    };
  }
}
