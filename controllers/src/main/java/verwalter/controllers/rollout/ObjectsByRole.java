package verwalter.controllers.rollout;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.ObjectCache;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/** The objects of a kind by role and name, filled by a watch. Confined to its loop. */
final class ObjectsByRole<S, T> {
  private final Map<String, Map<String, Resource<S, T>>> roles = new HashMap<>();
  private final Function<S, String> roleOf;

  /**
   * Creates an empty index.
   *
   * @param roleOf the role to which an object with this spec belongs
   */
  ObjectsByRole(Function<S, String> roleOf) {
    this.roleOf = roleOf;
  }

  /** The objects of a role. This is a view. */
  Collection<Resource<S, T>> of(String role) {
    return Collections.unmodifiableCollection(roles.getOrDefault(role, Map.of()).values());
  }

  /**
   * Fills the index until the cache is closed.
   *
   * @param changed called with the roles of a changed object, before and after the change
   * @param complete called once, when all objects are known
   */
  ObjectCache<S, T> watch(
      ObjectStore store, Kind<S, T> kind, Loop on, Consumer<String> changed, Runnable complete) {
    return ObjectCache.of(
        store,
        kind,
        on,
        (before, after) -> {
          remove(before);
          put(after);
          report(before, changed);
          report(after, changed);
        },
        complete);
  }

  private void report(@Nullable Resource<S, T> object, Consumer<String> changed) {
    if (object != null) {
      changed.accept(roleOf.apply(object.spec()));
    }
  }

  private void put(@Nullable Resource<S, T> object) {
    if (object != null) {
      roles
          .computeIfAbsent(roleOf.apply(object.spec()), role -> new TreeMap<>())
          .put(object.name(), object);
    }
  }

  private void remove(@Nullable Resource<S, T> object) {
    if (object != null) {
      roles.computeIfPresent(
          roleOf.apply(object.spec()),
          (role, its) -> {
            its.remove(object.name());
            return its.isEmpty() ? null : its;
          });
    }
  }
}
