package verwalter.cluster.sides;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import verwalter.model.Action;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.stores.api.Write;

/**
 * One node's copy of the log, with the objects that it gives. Immutable.
 *
 * @param entries the entries, one text each, so that copies can be compared
 * @param epoch the epoch of the last entry
 * @param history the contents of all writes that the log contains or reported as overridden
 */
record ModelLog(
    List<String> entries,
    long epoch,
    TreeMap<ResourceKey, Resource<?, ?>> objects,
    TreeSet<String> history) {
  static final ResourceKey KEY = Node.KIND.key("n1");

  static ModelLog empty() {
    return new ModelLog(List.of("1"), 1, new TreeMap<>(), new TreeSet<>());
  }

  Optional<Resource<?, ?>> find(ResourceKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  long version() {
    return Version.of(epoch, entries.size());
  }

  /** Whether one of both copies contains the other. */
  boolean agreesWith(ModelLog other) {
    int both = Math.min(entries.size(), other.entries.size());
    return entries.subList(0, both).equals(other.entries.subList(0, both));
  }

  boolean isNewerThan(ModelLog other) {
    return entries.size() > other.entries.size();
  }

  ModelLog begin(long next) {
    return new ModelLog(with("E" + next), next, objects, history);
  }

  private List<String> with(String entry) {
    var next = new ArrayList<>(entries);
    next.add(entry);
    return next;
  }

  /** The log after a transaction. */
  ModelLog append(String text, long at, List<Write> writes, List<String> contents) {
    var next = new TreeMap<>(objects);
    long version = Version.of(at, entries.size() + 1);
    for (var write : writes) {
      var object = write.resource();
      var present = next.get(object.key());
      if (write instanceof Write.Remove) {
        next.remove(object.key());
      } else if (write instanceof Write.PutStatus) {
        next.put(object.key(), status(present, object));
      } else {
        long expected = present == null ? 0 : present.meta().version();
        if (object.meta().version() != expected) {
          throw new AssertionError("a merge is not based on the present state: " + object);
        }
        next.put(object.key(), committed(object, present, version));
      }
    }
    var more = new TreeSet<>(history);
    more.addAll(contents);
    return new ModelLog(with(text), at, next, more);
  }

  @SuppressWarnings("unchecked") // both are of the kind of the same key
  private static <S, T> Resource<S, T> status(Resource<?, ?> present, Resource<S, T> status) {
    return ((Resource<S, T>) present).withStatus(status.status().orElseThrow());
  }

  private static <S, T> Resource<S, T> committed(
      Resource<S, T> object, Resource<?, ?> present, long version) {
    long before = present == null ? 0 : present.meta().generation();
    boolean same = present != null && present.spec().equals(object.spec());
    var meta =
        object
            .meta()
            .committed("", version, same ? before : before + 1, Optional.empty(), Optional.empty());
    return object.withMeta(meta);
  }

  Function<ResourceKey, Optional<Resource<?, ?>>> lookup() {
    return this::find;
  }

  List<Resource<?, ?>> actions() {
    return objects.values().stream().filter(it -> it.spec() instanceof Action.Spec).toList();
  }

  /** What the log says, independent of versions and of the ids of actions. */
  String contents() {
    var actions =
        actions().stream()
            .map(it -> ((Action.Spec) it.spec()).request() + ":" + it.status().isPresent())
            .sorted()
            .toList();
    return find(KEY).map(SplitWorld::content).orElse("none") + actions;
  }
}
