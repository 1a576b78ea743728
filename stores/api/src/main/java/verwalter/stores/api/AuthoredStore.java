package verwalter.stores.api;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Scope;

/**
 * A store that enforces {@link WriteRules} for one author. Reads are passed through. A write that
 * the rules do not allow is refused with {@link StoreException.Forbidden} or {@link
 * StoreException.FromFile}. Writes of a leader to objects of the cluster are fenced by its epoch. A
 * fence of the caller with another epoch is refused with {@link StoreException.Fenced}. A counter
 * of a command that does not grow by one is refused with {@link StoreException.Invalid}.
 *
 * <p>The rules compare a write with the present object. A removal and a status name the version of
 * that object, so that they cannot change another one. If they named none and the object was
 * changed meanwhile, they are compared and committed again, up to {@value #MOST_TRIES} times.
 */
public final class AuthoredStore extends ForwardingStore<ObjectStore> {
  private static final int MOST_TRIES = 10;

  private final Author author;

  private AuthoredStore(ObjectStore store, Author author) {
    super(store);
    this.author = author;
  }

  /** Wraps {@code store} for {@code author}. */
  public static ObjectStore of(ObjectStore store, Author author) {
    return new AuthoredStore(store, author);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    if (!isLeaders(writes)) {
      return commit(writes, fence, 1);
    }
    long epoch = author.epoch().getAsLong();
    if (fence.admits(epoch)) {
      return commit(writes, Fence.epoch(epoch), 1);
    }
    long present = real.epoch();
    long other = epoch == present ? fence.epoch().getAsLong() : epoch;
    return Future.failedFuture(new StoreException.Fenced(other, present));
  }

  private boolean isLeaders(List<Write> writes) {
    return author.epoch().isPresent()
        && writes.stream().anyMatch(write -> write.resource().type().scope() == Scope.CLUSTER);
  }

  private Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence, int tries) {
    var present = new HashMap<ResourceKey, Optional<Resource<?, ?>>>();
    var checked = new ArrayList<Write>(writes.size());
    for (var write : writes) {
      try {
        checked.add(checked(write, present));
      } catch (StoreException refused) {
        return Future.failedFuture(refused);
      }
    }
    return real.commit(checked, fence)
        .recover(
            refusal ->
                refusal instanceof StoreException.Conflict
                        && tries < MOST_TRIES
                        && writes.stream().anyMatch(AuthoredStore::isForAnyVersion)
                    ? commit(writes, fence, tries + 1)
                    : Future.failedFuture(refusal));
  }

  private static boolean isForAnyVersion(Write write) {
    return !(write instanceof Write.Put) && write.resource().meta().version() == 0;
  }

  /**
   * Applies the rules, and returns the write based on the version that they were applied to.
   *
   * @param changed objects as changed by earlier writes of the transaction
   */
  private Write checked(Write write, Map<ResourceKey, Optional<Resource<?, ?>>> changed) {
    var wanted = write.resource();
    var key = wanted.key();
    var present =
        changed.computeIfAbsent(
            key, any -> real.get(wanted.type(), wanted.name()).map(found -> found));
    if (!isComparable(write, present)) {
      throw present
          .<StoreException>map(
              found ->
                  new StoreException.Conflict(key, wanted.meta().version(), found.meta().version()))
          .orElseGet(() -> new StoreException.Missing(key));
    }
    var fromFile = WriteRules.fromFile(author, present, write);
    if (fromFile.isPresent()) {
      throw fromFile.get();
    }
    var refusal = WriteRules.refusal(author, present, write);
    if (refusal.isPresent()) {
      throw isOlder(write, present)
          ? new StoreException.Conflict(
              key, wanted.meta().version(), present.orElseThrow().meta().version())
          : refusal.get();
    }
    if (write instanceof Write.Put && present.isPresent()) {
      CommandCounters.problem(present.get(), wanted)
          .ifPresent(
              why -> {
                throw new StoreException.Invalid(key, why);
              });
    }
    var result = based(write, present);
    changed.put(key, after(result, present));
    return result;
  }

  /**
   * Whether {@code present} is the object that the write changes, so that the rules apply to it. A
   * put is based on one version. A status may be based on a version that is not visible here yet,
   * unless other writers own parts of it.
   */
  private static boolean isComparable(Write write, Optional<Resource<?, ?>> present) {
    long version = write.resource().meta().version();
    if (write instanceof Write.Put) {
      return version == 0 || present.filter(found -> found.meta().version() == version).isPresent();
    }
    boolean visible = present.filter(found -> found.meta().version() >= version).isPresent();
    return visible
        || (write instanceof Write.PutStatus
            && write.resource().type().writers().conditions().isEmpty());
  }

  /** Whether the write is based on an older state, which may be the only reason for its refusal. */
  private static boolean isOlder(Write write, Optional<Resource<?, ?>> present) {
    long version = write.resource().meta().version();
    return write instanceof Write.PutStatus
        && version != 0
        && present.filter(found -> found.meta().version() > version).isPresent();
  }

  /** Replaces "any version" by the version that the rules were applied to. */
  private static Write based(Write write, Optional<Resource<?, ?>> present) {
    if (!isForAnyVersion(write) || present.isEmpty()) {
      return write;
    }
    var based = withVersion(write.resource(), present.get().meta().version());
    return write instanceof Write.Remove ? new Write.Remove(based) : new Write.PutStatus(based);
  }

  private static <S, T> Resource<S, T> withVersion(Resource<S, T> object, long version) {
    return object.withMeta(object.meta().withVersion(version));
  }

  private static Optional<Resource<?, ?>> after(Write write, Optional<Resource<?, ?>> present) {
    if (write instanceof Write.Remove) {
      return present.filter(found -> !found.meta().finalizers().isEmpty());
    }
    return write instanceof Write.PutStatus
        ? present.map(found -> withStatus(found, write.resource().status()))
        : Optional.of(
            withStatus(
                write.resource(),
                present.isPresent() ? present.get().status() : write.resource().status()));
  }

  @SuppressWarnings("unchecked") // both are of the kind of the same key
  private static <S, T> Resource<S, T> withStatus(Resource<S, T> object, Optional<?> status) {
    return new Resource<>(object.type(), object.meta(), object.spec(), (Optional<T>) status);
  }
}
