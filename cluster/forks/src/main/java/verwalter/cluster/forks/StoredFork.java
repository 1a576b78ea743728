package verwalter.cluster.forks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import verwalter.cluster.Term;
import verwalter.cluster.sides.Fork;
import verwalter.cluster.sides.ForkAction;
import verwalter.cluster.sides.ForkId;
import verwalter.model.Action;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.model.Version;
import verwalter.stores.api.ObjectStore;

/**
 * What a term wrote into the store of a fork and the majority is to know: the schedule and actions.
 * Everything else follows from these, from the nodes and from the configuration, and is not merged.
 * Pure.
 */
final class StoredFork {
  /**
   * Reads the writes of a term that has ended.
   *
   * @param store the store of the fork
   * @param base the version of the log's state below the fork
   * @param log the present objects of the log
   */
  static Fork of(
      ObjectStore store,
      Term term,
      long base,
      Function<ResourceKey, Optional<Resource<?, ?>>> log) {
    var id = new ForkId(term.epoch(), term.leader());
    var fork = Fork.EMPTY;
    for (var object : written(store, term, Schedule.KIND)) {
      var under = log.apply(object.key()).filter(its -> its.meta().version() <= base);
      fork = fork.put(id, base, under, object);
    }
    for (var action : written(store, term, Action.KIND)) {
      fork = fork.accept(id, base, action.name(), action.spec());
      if (action.status().isPresent()) {
        fork = fork.done(new ForkAction.Key(action.name(), id), base, action.status().get());
      }
    }
    return fork.isEmpty() ? fork : fork.close(id);
  }

  /** The objects that were written in the term, oldest first. */
  private static <S, T> List<Resource<S, T>> written(
      ObjectStore store, Term term, Kind<S, T> kind) {
    var objects = new ArrayList<>(store.list(kind));
    objects.removeIf(object -> Version.epoch(object.meta().version()) != term.epoch());
    objects.sort(Comparator.comparing(object -> object.meta().version()));
    return objects;
  }

  private StoredFork() {}
}
