package verwalter.stores.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;

/**
 * An object as committed. One that was read from a file stays as it is there until somebody wants
 * to see it: a store opens faster than it could decode all it holds, and most of a long past is
 * never looked at.
 */
final class Stored {
  private final int bytes;

  /** The version at which its status was written last, as far as that is known. */
  private final long statusVersion;

  /** A {@link Raw} at first, or a {@link Resource}; two who decode it at once get equal ones. */
  private volatile Object content;

  /** An object whose JSON, without what the store alone sets, has this many bytes. */
  Stored(Resource<?, ?> resource, int bytes, long statusVersion) {
    this.content = resource;
    this.bytes = bytes;
    this.statusVersion = statusVersion;
  }

  Stored(Raw raw) {
    this.content = raw;
    this.bytes = raw.json().remaining();
    this.statusVersion = raw.version();
  }

  long statusVersion() {
    return statusVersion;
  }

  int bytes() {
    return bytes;
  }

  /**
   * The object.
   *
   * @throws UncheckedIOException with a {@link StoreFormat}, if it is not one this version knows
   */
  Resource<?, ?> resource() {
    if (content instanceof Raw raw) {
      var decoded = decoded(raw);
      content = decoded;
      return decoded;
    }
    return (Resource<?, ?>) content;
  }

  ResourceKey key() {
    return content instanceof Raw raw ? raw.key() : resource().key();
  }

  long version() {
    return content instanceof Raw raw ? raw.version() : resource().meta().version();
  }

  String uid() {
    return content instanceof Raw raw ? raw.uid() : resource().meta().uid();
  }

  List<OwnerReference> owners() {
    return content instanceof Raw raw ? raw.owners() : resource().meta().owners();
  }

  /** The object as a file is to hold it at this revision. */
  Raw raw() {
    return content instanceof Raw raw ? raw : Raw.of(resource(), Encoded.of(resource()));
  }

  Stored with(Resource<?, ?> next) {
    return new Stored(next, bytes, statusVersion);
  }

  private static Resource<?, ?> decoded(Raw raw) {
    var bytes = new byte[raw.json().remaining()];
    raw.json().duplicate().get(bytes);
    try {
      var resource = Codec.fromJson(bytes);
      var meta =
          resource
              .meta()
              .committed(
                  raw.uid(),
                  raw.version(),
                  raw.generation(),
                  Raw.time(raw.created()),
                  Raw.time(raw.deleted()));
      return resource.withMeta(meta);
    } catch (IOException | RuntimeException notUnderstood) {
      throw new UncheckedIOException(raw.unknown(String.valueOf(notUnderstood.getMessage())));
    }
  }
}
