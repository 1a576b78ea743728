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
 * @param content the object to be written; none for a removal
 * @param refusal why it is refused whatever the state
 */
record Draft(Write write, Encoded content, StoreException.@Nullable Invalid refusal) {
  static List<Draft> of(List<Write> writes) {
    var drafts = new ArrayList<Draft>(writes.size());
    writes.forEach(write -> drafts.add(of(write)));
    return drafts;
  }

  static Draft of(Write write) {
    var resource = write.resource();
    if (write instanceof Write.Remove) {
      return new Draft(write, Encoded.NONE, null);
    }
    if (!Names.isValid(resource.name())) {
      return refused(write, "a name has " + Names.RULE);
    }
    var content = Encoded.of(resource);
    return content.length() > ObjectStore.MAX_BYTES
        ? refused(
            write,
            "%d bytes of JSON are more than the %d an object may have"
                .formatted(content.length(), ObjectStore.MAX_BYTES))
        : new Draft(write, content, null);
  }

  static Draft refused(Write write, String why) {
    return new Draft(write, Encoded.NONE, new StoreException.Invalid(write.resource().key(), why));
  }
}
