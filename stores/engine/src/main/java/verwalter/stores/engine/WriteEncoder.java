package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.model.Kinds;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Prepares writes on the thread of the caller: performs the checks that need no state, and encodes
 * the writes, so that the single writer thread need not do this.
 */
final class WriteEncoder {
  static List<Entry.Change> encode(List<Write> writes) {
    var changes = new ArrayList<Entry.Change>(writes.size());
    writes.forEach(write -> changes.add(encode(write)));
    return changes;
  }

  private static Entry.Change encode(Write write) {
    var resource = write.resource();
    var kind = resource.type();
    if (Kinds.named(kind.name()).filter(kind::equals).isEmpty()) {
      return refused(write, kind.name() + " is not a kind that could be read back");
    }
    if (write instanceof Write.Remove) {
      var meta = resource.meta();
      return new Entry.Change.Remove(resource.key(), meta.uid(), meta.version());
    }
    if (!Names.isValid(resource.name())) {
      return refused(write, "a name has " + Names.RULE);
    }
    return write instanceof Write.PutStatus ? status(resource) : put(write, resource);
  }

  private static Entry.Change put(Write write, Resource<?, ?> resource) {
    var meta = resource.meta();
    var status = meta.version() == 0 ? Content.status(resource) : null;
    var head = Stored.Head.of(resource);
    var spec = Content.spec(resource);
    for (var each : spec.values()) {
      if (each.wholeLength() > StoredValue.MAX_BYTES) {
        return refused(
            write,
            "a mapping in its spec has %d bytes of JSON, more than the limit of %d"
                .formatted(each.wholeLength(), StoredValue.MAX_BYTES));
      }
    }
    int length = Stored.length(head, spec, status);
    return length > ObjectStore.MAX_BYTES
        ? refused(write, Transaction.tooLarge(length))
        : new Entry.Change.Put(
            resource.type(),
            meta.uid(),
            meta.version(),
            "",
            meta,
            head,
            spec,
            Optional.ofNullable(status));
  }

  private static Entry.Change status(Resource<?, ?> resource) {
    var meta = resource.meta();
    var status = Optional.ofNullable(Content.status(resource));
    return new Entry.Change.Status(
        resource.type(), resource.key(), meta.uid(), meta.version(), status);
  }

  private static Entry.Change refused(Write write, String why) {
    var key = write.resource().key();
    return new Entry.Change.Refused(key, new StoreException.Invalid(key, why));
  }

  private WriteEncoder() {}
}
