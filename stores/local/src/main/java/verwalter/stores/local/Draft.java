package verwalter.stores.local;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.model.Names;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * A write as its caller prepared it: checked as far as that needs no state, and encoded, so that
 * the one writer does neither.
 *
 * @param length of the JSON of what is written: the object without its status, or the status
 * @param refusal why it is refused whatever the state
 */
record Draft(Write write, int length, StoreException.@Nullable Invalid refusal) {
  static List<Draft> of(List<Write> writes) {
    var drafts = new ArrayList<Draft>(writes.size());
    writes.forEach(write -> drafts.add(of(write)));
    return drafts;
  }

  static Draft of(Write write) {
    var resource = write.resource();
    if (write instanceof Write.Remove) {
      return new Draft(write, 0, null);
    }
    if (!Names.isValid(resource.name())) {
      return refused(write, "a name has " + Names.RULE);
    }
    int length =
        write instanceof Write.PutStatus ? Encoded.status(resource) : Encoded.body(resource);
    return length > ObjectStore.MAX_BYTES
        ? refused(
            write,
            "%d bytes of JSON are more than the %d an object may have"
                .formatted(length, ObjectStore.MAX_BYTES))
        : new Draft(write, length, null);
  }

  static Draft refused(Write write, String why) {
    return new Draft(write, 0, new StoreException.Invalid(write.resource().key(), why));
  }
}
