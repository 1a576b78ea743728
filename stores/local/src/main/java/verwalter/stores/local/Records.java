package verwalter.stores.local;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.model.OwnerReference;
import verwalter.model.ResourceKey;

/**
 * How a transaction reads in a log: {@code long revision | long durable | long time | int count |
 * operations}, all of it one frame, so that it is there whole or not at all.
 *
 * <p>{@code durable} is the last revision that lasted when this one was written. It tells a torn
 * end, which holds nothing anybody was promised, from damage to what had been there for good.
 *
 * <p>An operation is {@code byte what | text kind | text name}, and for a put {@code text uid |
 * long generation | long created | long deleted | short count | owners | int length | JSON}, where
 * an owner is three texts: kind, name and uid. Times are in milliseconds since 1970.
 */
final class Records {
  private static final byte CREATED = 1;
  private static final byte CHANGED = 2;
  private static final byte MARKED = 3;
  private static final byte REMOVED = 4;

  /** One transaction, read back. */
  record Transacted(long revision, long durable, long time, List<Operation> operations) {}

  /**
   * What happened to one object.
   *
   * @param object what was put; null for a mark or a removal
   */
  record Operation(ResourceKey key, @Nullable Raw object, boolean created, boolean removed) {}

  static void write(Sink sink, Outcome outcome, long durable, Instant time) {
    sink.beginFrame();
    sink.number(outcome.state().revision());
    sink.number(durable);
    sink.number(time.toEpochMilli());
    sink.number(outcome.effects().size());
    outcome.effects().forEach(effect -> write(sink, effect));
    sink.endFrame();
  }

  private static void write(Sink sink, Effect effect) {
    var key = effect.object().key();
    sink.number(code(effect));
    sink.text(key.kind());
    sink.text(key.name());
    if (effect instanceof Effect.Put put && !put.marked()) {
      writeContent(sink, put.object().raw());
    }
  }

  private static byte code(Effect effect) {
    if (effect instanceof Effect.Put put) {
      return put.marked() ? MARKED : put.created() ? CREATED : CHANGED;
    }
    return REMOVED;
  }

  private static void writeContent(Sink sink, Raw object) {
    sink.text(object.uid());
    sink.number(object.generation());
    sink.number(object.created());
    sink.number(object.deleted());
    sink.number((short) object.owners().size());
    for (var owner : object.owners()) {
      sink.text(owner.kind());
      sink.text(owner.name());
      sink.text(owner.uid());
    }
    sink.block(object.json());
  }

  static Transacted read(ByteBuffer body, Raw.Place place) {
    long revision = body.getLong();
    long durable = body.getLong();
    long time = body.getLong();
    int count = body.getInt();
    var operations = new ArrayList<Operation>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      byte what = body.get();
      var key = new ResourceKey(text(body), text(body));
      boolean put = what == CREATED || what == CHANGED;
      var object = put ? readContent(key, revision, body, place) : null;
      operations.add(new Operation(key, object, what == CREATED, what == REMOVED));
    }
    return new Transacted(revision, durable, time, operations);
  }

  private static Raw readContent(ResourceKey key, long version, ByteBuffer body, Raw.Place place) {
    var uid = text(body);
    long generation = body.getLong();
    long created = body.getLong();
    long deleted = body.getLong();
    int count = Short.toUnsignedInt(body.getShort());
    var owners = new ArrayList<OwnerReference>(count);
    for (int i = 0; i < count; i++) {
      owners.add(new OwnerReference(text(body), text(body), text(body)));
    }
    var json = body.slice(body.position() + 4, body.getInt(body.position()));
    body.position(body.position() + 4 + json.remaining());
    return new Raw(
        key, uid, version, generation, created, deleted, List.copyOf(owners), json, place);
  }

  /** An object in a snapshot: {@code text kind | text name | long version | as in a put}. */
  static void writeObject(Sink sink, Raw object) {
    sink.text(object.key().kind());
    sink.text(object.key().name());
    sink.number(object.version());
    writeContent(sink, object);
  }

  static Raw readObject(ByteBuffer body, Raw.Place place) {
    var key = new ResourceKey(text(body), text(body));
    return readContent(key, body.getLong(), body, place);
  }

  static String text(ByteBuffer body) {
    int length = Short.toUnsignedInt(body.getShort());
    var text =
        new String(
            body.array(), body.arrayOffset() + body.position(), length, StandardCharsets.UTF_8);
    body.position(body.position() + length);
    return text;
  }

  /**
   * Whether a log's bytes from where {@code revision} should stand hold a later transaction that
   * was written when {@code revision} was durable already.
   */
  static boolean sayDurable(byte[] rest, long revision) {
    var bytes = ByteBuffer.wrap(rest);
    int least = Sink.FRAME + 3 * Long.BYTES + Integer.BYTES;
    for (int at = 1; at <= rest.length - least; at++) {
      int length = bytes.getInt(at);
      long later = bytes.getLong(at + Sink.FRAME);
      long durable = bytes.getLong(at + Sink.FRAME + Long.BYTES);
      if (length > 0
          && length <= rest.length - at - Sink.FRAME
          && durable >= revision
          && durable < later
          && later - revision < rest.length
          && Frames.crc(rest, at + Sink.FRAME, length) == bytes.getInt(at + 4)) {
        return true;
      }
    }
    return false;
  }

  private Records() {}
}
