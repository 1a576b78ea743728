package verwalter.stores.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Codec;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * A write as its caller prepared it: checked as far as that needs no state, and encoded, so that
 * the one writer does neither.
 *
 * @param json the object without what the store decides; empty for a removal
 * @param refusal why it is refused whatever the state
 */
record Draft(Write write, byte[] json, StoreException.@Nullable Invalid refusal) {
  static final byte[] NONE = {};

  static List<Draft> of(List<Write> writes) {
    var drafts = new ArrayList<Draft>(writes.size());
    writes.forEach(write -> drafts.add(of(write)));
    return drafts;
  }

  static Draft of(Write write) {
    var resource = write.resource();
    if (write instanceof Write.Remove) {
      return new Draft(write, NONE, null);
    }
    if (!Names.isValid(resource.name())) {
      return refused(write, "a name has " + Names.RULE);
    }
    var json = Codec.json(bare(resource));
    return json.length > ObjectStore.MAX_BYTES
        ? refused(
            write,
            "%d bytes of JSON are more than the %d an object may have"
                .formatted(json.length, ObjectStore.MAX_BYTES))
        : new Draft(write, json, null);
  }

  private static Draft refused(Write write, String why) {
    return new Draft(write, NONE, new StoreException.Invalid(write.resource().key(), why));
  }

  /** Without what the store alone sets, which the journal notes beside the JSON. */
  private static Resource<?, ?> bare(Resource<?, ?> resource) {
    return resource.withMeta(
        resource.meta().committed("", 0, 0, Optional.empty(), Optional.empty()));
  }
}
