package verwalter.stores.local;

import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/** The JSON of an object without what the store alone sets, which the journal notes beside it. */
final class Encoded {
  /** Of what has no content of its own: a removal, or a mark by the store itself. */
  static final Encoded NONE = new Encoded(new byte[0]);

  private final byte[] json;

  private Encoded(byte[] json) {
    this.json = json;
  }

  static Encoded of(Resource<?, ?> resource) {
    var bare = resource.meta().committed("", 0, 0, Optional.empty(), Optional.empty());
    return new Encoded(Codec.json(resource.withMeta(bare)));
  }

  int length() {
    return json.length;
  }

  /** Not a copy: whoever gets it only reads it. */
  byte[] json() {
    return json;
  }
}
