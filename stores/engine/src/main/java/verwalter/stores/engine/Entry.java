package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.ResourceKey;
import verwalter.stores.api.StoreException;

/**
 * One entry of a log: a transaction with everything that decides what it does, or the beginning of
 * an epoch. What it does depends on it and on the state before, and on nothing else.
 *
 * <p>Its bytes are {@code byte what | long epoch | long time}, and for a transaction {@code int
 * count | writes}. A write is {@code byte what | text kind | text name | text uid | long version},
 * and then, for a put, {@code text uid of a new object | metadata | head | JSON of the spec |
 * status of a new object}, and for a status the status; behind the writes comes {@code int count |
 * values}, those that specs refer to and that the state does not have yet. Times are in
 * milliseconds since 1970.
 */
public final class Entry {
  private static final byte TRANSACTION = 1;
  private static final byte EPOCH = 2;
  private static final byte PUT = 1;
  private static final byte STATUS = 2;
  private static final byte REMOVE = 3;
  private static final long ANY = -1;

  /** What a write costs in a log besides its contents, about. */
  private static final long WRITE = 256;

  private final byte what;
  private final long epoch;
  private final Instant time;
  private final List<Change> changes;
  private final Map<String, StoredValue> values;

  /** One write, with the precondition that its object bears that uid and that version. */
  sealed interface Change {
    ResourceKey key();

    /** The uid that the object must have; empty for any. */
    String uid();

    /** The version it must have; 0 for any, or, in a put, for an object that must not exist. */
    long version();

    /** How many bytes it has, about. */
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
        @Nullable Content status)
        implements Change {
      @Override
      public ResourceKey key() {
        return kind.key(meta.name());
      }

      @Override
      public long size() {
        return WRITE + head.envelope() + spec.length() + (status == null ? 0 : status.length());
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
        Kind<?, ?> kind, ResourceKey key, String uid, long version, @Nullable Content status)
        implements Change {
      @Override
      public long size() {
        return WRITE + (status == null ? 0 : status.length());
      }

      Status with(Content other) {
        return new Status(kind, key, uid, version, other);
      }
    }

    /** Asks for the removal of an object. */
    record Remove(ResourceKey key, String uid, long version) implements Change {
      @Override
      public long size() {
        return WRITE;
      }
    }

    /** A write that breaks a rule which no state matters for. It is in no log. */
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
   * @param time to the millisecond
   * @param values that specs in it refer to and that the state does not have yet, by hash
   */
  static Entry transaction(
      OptionalLong fence, Instant time, List<Change> changes, Collection<StoredValue> values) {
    return new Entry(TRANSACTION, fence.orElse(ANY), time, List.copyOf(changes), values);
  }

  /** The beginning of an epoch: this one, or the one after the present if that is later. */
  static Entry epoch(long atLeast, Instant time) {
    return new Entry(EPOCH, atLeast, time, List.of(), List.of());
  }

  boolean beginsEpoch() {
    return what == EPOCH;
  }

  /** Of a beginning of an epoch: the least it may be. */
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

  /** The value with that hash, if the entry brings it. */
  @Nullable StoredValue value(String hash) {
    return values.get(hash);
  }

  /** How many bytes it has in a log, about. */
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

  /** Adds its bytes. */
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
      Stored.writeOptional(sink, put.status());
    } else if (change instanceof Change.Status status) {
      begin(sink, STATUS, status);
      Stored.writeOptional(sink, status.status());
    } else if (change instanceof Change.Remove remove) {
      begin(sink, REMOVE, remove);
    } else {
      throw new IllegalArgumentException("a write that is refused is in no log: " + change.key());
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
   * Reads what {@link #write} wrote. Contents are not copied: the buffer must not change any more.
   *
   * @throws UnknownObject if nothing is known of a kind in it
   * @throws IllegalArgumentException or another unchecked exception, if it makes no sense
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
        var status = Stored.readStatus(kind, body);
        yield new Change.Put(kind, uid, version, newUid, meta, head, spec, status);
      }
      case STATUS -> new Change.Status(kind, key, uid, version, Stored.readStatus(kind, body));
      case REMOVE -> new Change.Remove(key, uid, version);
      default -> throw new IllegalArgumentException("a write of type " + what);
    };
  }
}
