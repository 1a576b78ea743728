package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;
import verwalter.stores.api.ObjectStore;

/** A committed object. Its metadata are decoded; spec and status may still be JSON. */
final class Stored {
  /** The value of an absent time in a log. */
  private static final long NEVER = Long.MIN_VALUE;

  private final Kind<?, ?> kind;
  private final ResourceKey key;
  private final Metadata meta;
  private final Head head;
  private final Content spec;
  private final @Nullable Content status;
  private final long statusVersion;
  private volatile @Nullable Resource<?, ?> resource;

  /**
   * Properties of an object that the author of a write computes.
   *
   * @param envelope size of its JSON without spec and status, in bytes
   * @param node its node, if any
   * @param role its role, if any
   */
  record Head(int envelope, Optional<String> node, Optional<String> role) {
    static <S, T> Head of(Resource<S, T> resource) {
      var bare = resource.meta().committed("", 0, 0, Optional.empty(), Optional.empty());
      var envelope =
          Codec.envelope(new Resource<>(resource.type(), bare, resource.spec(), Optional.empty()));
      return new Head(envelope, resource.type().node(resource), resource.type().role(resource));
    }
  }

  Stored(
      Kind<?, ?> kind,
      Metadata meta,
      Head head,
      Content spec,
      @Nullable Content status,
      long statusVersion) {
    this.kind = kind;
    this.key = kind.key(meta.name());
    this.meta = meta;
    this.head = head;
    this.spec = spec;
    this.status = status;
    this.statusVersion = statusVersion;
  }

  /** Creates an object that another store committed. */
  static Stored of(Resource<?, ?> resource) {
    return new Stored(
        resource.type(),
        resource.meta(),
        Head.of(resource),
        Content.spec(resource),
        Content.status(resource),
        resource.meta().version());
  }

  ResourceKey key() {
    return key;
  }

  Metadata meta() {
    return meta;
  }

  Head head() {
    return head;
  }

  Content spec() {
    return spec;
  }

  @Nullable Content status() {
    return status;
  }

  String uid() {
    return meta.uid();
  }

  long version() {
    return meta.version();
  }

  /** The version of the last write of its status, or of its creation. */
  long statusVersion() {
    return statusVersion;
  }

  List<OwnerReference> owners() {
    return meta.owners();
  }

  /** The size of its JSON in bytes, without fields that only the store sets. */
  int length() {
    return length(head, spec, status);
  }

  static int length(Head head, Content spec, @Nullable Content status) {
    int sum = Math.addExact(head.envelope(), spec.length());
    return status == null ? sum : Math.addExact(sum, Codec.STATUS_FIELD + status.length());
  }

  boolean isTooLarge() {
    return length() > ObjectStore.MAX_BYTES;
  }

  /** The estimated memory of the decoded object in bytes. */
  long heap() {
    return (long) shell() + spec.heap() + (status == null ? 0 : status.heap());
  }

  /** The estimated memory in bytes without the parts shared with {@code other}. */
  long heapBeside(Stored other) {
    long sum = shell();
    sum += spec == other.spec ? 0 : spec.heap();
    return sum + (status == null || status == other.status ? 0 : status.heap());
  }

  /**
   * The estimated memory in bytes of the values that its spec refers to and the spec of {@code
   * other} does not.
   */
  long valuesBeside(@Nullable Stored other) {
    var shared = new HashSet<String>();
    if (other != null) {
      other.spec.values().forEach(each -> shared.add(each.hash()));
    }
    long sum = 0;
    for (var each : spec.values()) {
      sum += shared.contains(each.hash()) ? 0 : each.heap();
    }
    return sum;
  }

  private int shell() {
    return HeapEstimate.object(meta);
  }

  /**
   * Returns the decoded object.
   *
   * @throws java.io.UncheckedIOException with an {@link UnknownObject}, if this version cannot read
   *     it
   */
  Resource<?, ?> resource() {
    var made = resource;
    if (made == null) {
      made = made(kind);
      resource = made;
    }
    return made;
  }

  private <S, T> Resource<S, T> made(Kind<S, T> of) {
    var seen = Optional.ofNullable(status).map(its -> of.status().cast(its.value()));
    return new Resource<>(of, meta, of.spec().cast(spec.value()), seen);
  }

  /** Returns a copy with other metadata, whose labels and owners must be equal. */
  Stored with(Metadata next) {
    return new Stored(kind, next, head, spec, status, statusVersion);
  }

  Stored withStatus(@Nullable Content next, long version) {
    return new Stored(kind, meta.withVersion(version), head, spec, next, version);
  }

  /** Returns a copy whose spec and status are JSON, which takes less memory until it is read. */
  Stored packed() {
    var packed = status == null ? null : status.packed();
    return new Stored(kind, meta, head, spec.packed(), packed, statusVersion);
  }

  /** Returns a copy with the values that its spec refers to; null if one is missing. */
  @Nullable Stored resolved(Function<String, @Nullable StoredValue> find) {
    var resolved = spec.resolved(find);
    if (resolved == null || resolved == spec) {
      return resolved == null ? null : this;
    }
    return new Stored(kind, meta, head, resolved, status, statusVersion);
  }

  void settle() {
    spec.settle();
    if (status != null) {
      status.settle();
    }
  }

  /** Writes the object in the format of logs and snapshots. */
  void write(Sink sink) {
    sink.text(key.kind());
    writeMeta(sink, meta);
    sink.text(meta.uid());
    sink.number(meta.version());
    sink.number(meta.generation());
    sink.number(statusVersion);
    sink.number(millis(meta.created()));
    sink.number(millis(meta.deleted()));
    writeHead(sink, head);
    spec.writeSpec(sink);
    writeOptional(sink, status);
  }

  /**
   * Reads the output of {@link #write}.
   *
   * @throws UnknownObject if its kind is unknown
   */
  static Stored read(ByteBuffer body) throws UnknownObject {
    var kind = readKind(body);
    var given = readMeta(body);
    var uid = Sink.text(body);
    long version = body.getLong();
    long generation = body.getLong();
    long statusVersion = body.getLong();
    var created = time(body.getLong());
    var deleted = time(body.getLong());
    var meta = given.committed(uid, version, generation, created, deleted);
    var head = readHead(body);
    var spec = Content.readSpec(kind, body);
    return new Stored(kind, meta, head, spec, readStatus(kind, body), statusVersion);
  }

  static Kind<?, ?> readKind(ByteBuffer body) throws UnknownObject {
    var name = Sink.text(body);
    return Kinds.named(name).orElseThrow(() -> new UnknownObject(name, "its kind is not known"));
  }

  /** Writes the metadata that the author of a write sets. */
  static void writeMeta(Sink sink, Metadata meta) {
    sink.text(meta.name());
    writeTexts(sink, meta.labels());
    writeTexts(sink, meta.annotations());
    sink.number(meta.finalizers().size());
    meta.finalizers().forEach(each -> writeLong(sink, each));
    sink.number(meta.owners().size());
    for (var owner : meta.owners()) {
      writeLong(sink, owner.kind());
      writeLong(sink, owner.name());
      writeLong(sink, owner.uid());
    }
  }

  static Metadata readMeta(ByteBuffer body) {
    var name = Sink.text(body);
    var labels = readTexts(body);
    var annotations = readTexts(body);
    var finalizers = new ArrayList<String>();
    for (int rest = body.getInt(); rest > 0; rest--) {
      finalizers.add(readLong(body));
    }
    var owners = new ArrayList<OwnerReference>();
    for (int rest = body.getInt(); rest > 0; rest--) {
      owners.add(new OwnerReference(readLong(body), readLong(body), readLong(body)));
    }
    return new Metadata(
        name,
        "",
        0,
        0,
        labels,
        annotations,
        finalizers,
        owners,
        Optional.empty(),
        Optional.empty());
  }

  static void writeHead(Sink sink, Head head) {
    sink.number(head.envelope());
    writeOptional(sink, head.node());
    writeOptional(sink, head.role());
  }

  static Head readHead(ByteBuffer body) {
    return new Head(body.getInt(), readOptional(body), readOptional(body));
  }

  static void writeOptional(Sink sink, @Nullable Content content) {
    sink.number((byte) (content == null ? 0 : 1));
    if (content != null) {
      sink.block(content.json());
    }
  }

  static @Nullable Content readStatus(Kind<?, ?> kind, ByteBuffer body) {
    return body.get() == 0 ? null : Content.readStatus(kind, Sink.block(body, body.getInt()));
  }

  private static void writeOptional(Sink sink, Optional<String> text) {
    sink.number((byte) (text.isEmpty() ? 0 : 1));
    text.ifPresent(each -> writeLong(sink, each));
  }

  private static Optional<String> readOptional(ByteBuffer body) {
    return body.get() == 0 ? Optional.empty() : Optional.of(readLong(body));
  }

  /** Writes entries sorted by key, so that equal metadata have equal bytes. */
  private static void writeTexts(Sink sink, Map<String, String> texts) {
    sink.number(texts.size());
    new TreeMap<>(texts)
        .forEach(
            (key, value) -> {
              writeLong(sink, key);
              writeLong(sink, value);
            });
  }

  private static Map<String, String> readTexts(ByteBuffer body) {
    var texts = new TreeMap<String, String>();
    for (int rest = body.getInt(); rest > 0; rest--) {
      texts.put(readLong(body), readLong(body));
    }
    return texts;
  }

  /** Writes a string of any length, such as an annotation. */
  private static void writeLong(Sink sink, String text) {
    sink.block(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String readLong(ByteBuffer body) {
    return Sink.text(body, body.getInt());
  }

  private static long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(NEVER);
  }

  private static Optional<Instant> time(long millis) {
    return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
