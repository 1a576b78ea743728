package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import verwalter.model.Codec;
import verwalter.model.ResourceKey;

/**
 * An object as a file holds it. Most versions in a log are not the last of their object, so they
 * are decoded only when that is known.
 *
 * @param created in milliseconds since 1970
 * @param deleted likewise; {@link Records#NEVER} if its deletion was not asked for
 * @param place where it stands, for messages
 */
record Raw(
    ResourceKey key,
    String uid,
    long version,
    long generation,
    long created,
    long deleted,
    ByteBuffer json,
    Place place) {
  /** A frame of a file. */
  record Place(String file, long offset) {}

  Raw marked(long revision, long time) {
    return new Raw(key, uid, revision, generation, created, time, json, place);
  }

  Raw at(long revision) {
    return new Raw(key, uid, revision, generation, created, deleted, json, place);
  }

  Stored decoded() throws IOException {
    var bytes = new byte[json.remaining()];
    json.duplicate().get(bytes);
    try {
      var resource = Codec.fromJson(bytes);
      var meta =
          resource
              .meta()
              .committed(
                  uid,
                  version,
                  generation,
                  Optional.of(Instant.ofEpochMilli(created)),
                  deleted == Records.NEVER
                      ? Optional.empty()
                      : Optional.of(Instant.ofEpochMilli(deleted)));
      return new Stored(resource.withMeta(meta), bytes.length);
    } catch (IOException | RuntimeException notUnderstood) {
      throw new StoreFormat(
          "%s at byte %d of %s is not an object this version understands (%s); use the version that wrote it"
              .formatted(key, place.offset(), place.file(), notUnderstood.getMessage()));
    }
  }
}
