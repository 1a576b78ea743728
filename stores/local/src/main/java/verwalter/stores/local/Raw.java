package verwalter.stores.local;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/**
 * An object as a file holds it.
 *
 * @param created in milliseconds since 1970
 * @param deleted likewise; {@link #NEVER} if its deletion was not asked for
 * @param json as in {@link Encoded}
 * @param place where it stands, for messages
 */
record Raw(
    ResourceKey key,
    String uid,
    long version,
    long generation,
    long created,
    long deleted,
    List<OwnerReference> owners,
    ByteBuffer json,
    Place place) {
  static final long NEVER = Long.MIN_VALUE;

  /** A frame of a file. */
  record Place(String file, long offset) {
    /** Of what is in no file yet. */
    static final Place NONE = new Place("", 0);
  }

  static Raw of(Resource<?, ?> resource, Encoded content) {
    var meta = resource.meta();
    return new Raw(
        resource.key(),
        meta.uid(),
        meta.version(),
        meta.generation(),
        millis(meta.created()),
        millis(meta.deleted()),
        meta.owners(),
        ByteBuffer.wrap(content.json()),
        Place.NONE);
  }

  private static long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(NEVER);
  }

  static Optional<Instant> time(long millis) {
    return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** The same as deleting, since {@code time}. */
  Raw marked(long revision, long time) {
    return new Raw(key, uid, revision, generation, created, time, owners, json, place);
  }

  Raw at(long revision) {
    return new Raw(key, uid, revision, generation, created, deleted, owners, json, place);
  }

  StoreFormat unknown(String why) {
    return new StoreFormat(
        "%s at byte %d of %s is not an object this version knows (%s); use the version that wrote it"
            .formatted(key, place.offset(), place.file(), why));
  }
}
