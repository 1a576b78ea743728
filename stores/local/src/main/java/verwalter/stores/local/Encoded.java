package verwalter.stores.local;

import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/** The JSON of an object without what the store alone sets, which the journal notes beside it. */
final class Encoded {
  private final byte[] json;

  private Encoded(byte[] json) {
    this.json = json;
  }

  static Encoded of(Resource<?, ?> resource) {
    var bare = resource.meta().committed("", 0, 0, Optional.empty(), Optional.empty());
    return new Encoded(Codec.json(resource.withMeta(bare)));
  }

  /** The length of an object without its status. */
  static <S, T> int body(Resource<S, T> resource) {
    return of(new Resource<>(resource.type(), resource.meta(), resource.spec(), Optional.empty()))
        .length();
  }

  /** What its status adds to the length of an object. */
  static <S, T> int status(Resource<S, T> resource) {
    return resource.status().isEmpty() ? 0 : of(resource).length() - body(resource);
  }

  int length() {
    return json.length;
  }

  /** Not a copy: whoever gets it only reads it. */
  byte[] json() {
    return json;
  }
}
