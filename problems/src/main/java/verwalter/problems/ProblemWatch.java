package verwalter.problems;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Query;

/**
 * The current problems of a cluster. Follows the store, so that a change costs as much as the
 * changed object, not as the cluster. Belongs to the loop.
 */
public final class ProblemWatch {
  /** The time before the store is read again after a watch has ended. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final Loop loop;
  private final Supplier<List<ObjectProblem>> local;
  private final Map<ResourceKey, List<ObjectProblem>> byObject = new TreeMap<>();
  private final List<Watch> watches = new ArrayList<>();
  private final List<Consumer<List<ObjectProblem>>> listeners = new ArrayList<>();
  private List<ObjectProblem> last = List.of();
  private boolean notifying;
  private boolean closed;

  /**
   * Creates a watch that has not read the store.
   *
   * @param local problems that no object states, such as a store that cannot be written
   */
  public ProblemWatch(ObjectStore store, Loop loop, Supplier<List<ObjectProblem>> local) {
    this.store = store;
    this.loop = loop;
    this.local = local;
  }

  /** Reads the store and follows it. */
  public void start() {
    byObject.clear();
    Diagnosis.KINDS.forEach(this::follow);
    changed();
  }

  /** Stops following. */
  public void close() {
    closed = true;
    watches.forEach(Watch::close);
    watches.clear();
  }

  /** The problems to show, the heaviest first. */
  public List<ObjectProblem> current() {
    var all = new ArrayList<>(local.get());
    byObject.values().forEach(all::addAll);
    return Diagnosis.shown(all);
  }

  /** Calls the listener with the current problems after each change of them, until it is closed. */
  public Watch onChange(Consumer<List<ObjectProblem>> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Reads the problems that no object states again. Called when one has begun or ended. */
  public void refresh() {
    changed();
  }

  private <S, T> void follow(Kind<S, T> kind) {
    var page = store.list(kind, Query.ALL);
    page.items().forEach(this::put);
    watches.add(store.watch(kind, OptionalLong.of(page.revision()), loop, this::receive));
  }

  private <S, T> void receive(Change<S, T> change) {
    if (change instanceof Change.Put<S, T> put) {
      put(put.resource());
    } else if (change instanceof Change.Removed<S, T> removed) {
      if (byObject.remove(removed.resource().key()) != null) {
        changed();
      }
    } else if (change instanceof Change.Ended<S, T>) {
      watches.forEach(Watch::close);
      watches.clear();
      loop.after(RETRY, this::restart);
    }
  }

  private void restart() {
    if (!closed && watches.isEmpty()) {
      start();
    }
  }

  private void put(Resource<?, ?> object) {
    var found = Diagnosis.of(object);
    var before =
        found.isEmpty() ? byObject.remove(object.key()) : byObject.put(object.key(), found);
    if (!found.equals(before == null ? List.of() : before)) {
      changed();
    }
  }

  /** Notifies the listeners once for all changes of this turn of the loop. */
  private void changed() {
    if (!notifying) {
      notifying = true;
      loop.execute(this::notifyListeners);
    }
  }

  private void notifyListeners() {
    notifying = false;
    var now = closed ? last : current();
    if (!now.equals(last)) {
      last = now;
      List.copyOf(listeners).forEach(listener -> listener.accept(now));
    }
  }
}
