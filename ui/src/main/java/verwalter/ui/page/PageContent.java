package verwalter.ui.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.table.InstanceCounts;

/**
 * The current content of the page. While it is open, it follows the store, collects changes for a
 * second, and then reports the rows that look different. Otherwise it only remembers the last two
 * schedules, since the rows of a large cluster need memory and time. Belongs to the loop.
 */
final class PageContent {
  /** The minimum time between two updates of the page. */
  private static final Duration PACE = Duration.ofSeconds(1);

  /** Changes within this time are reported together, also after a quiet time. */
  private static final Duration BURST = Duration.ofMillis(100);

  private static final List<Kind<?, ?>> KINDS =
      List.of(
          Node.KIND,
          RoleConfig.KIND,
          Rollout.KIND,
          RoleInstance.KIND,
          ProcessGroup.KIND,
          Schedule.KIND,
          Event.KIND);

  private final ObjectStore store;
  private final Loop loop;
  private final Consumer<Update> listener;
  private final Map<ResourceKey, List<Row>> rows = new LinkedHashMap<>();
  private final Map<ResourceKey, Kind<?, ?>> dirty = new HashMap<>();
  private final List<Watch> watches = new ArrayList<>();
  private Watch schedules = () -> {};
  private Optional<Schedule.Spec> current = Optional.empty();
  private Optional<Schedule.Spec> previous = Optional.empty();
  private Instant flushed = Instant.EPOCH;
  private boolean scheduled;
  private boolean opened;
  private boolean closed;

  /**
   * A change of the page.
   *
   * @param whole whether everything may differ, in which case the rows are empty
   * @param gone ids of rows that were removed
   */
  record Update(boolean whole, List<Row> changed, Set<String> gone) {}

  PageContent(ObjectStore store, Loop loop, Consumer<Update> listener) {
    this.store = store;
    this.loop = loop;
    this.listener = listener;
  }

  /** Begins to remember schedules. */
  void start() {
    var page = store.list(Schedule.KIND, verwalter.stores.api.Query.ALL);
    page.items().forEach(schedule -> remember(schedule.spec()));
    schedules =
        store.watch(Schedule.KIND, OptionalLong.of(page.revision()), loop, this::scheduleChanged);
  }

  private void scheduleChanged(Change<Schedule.Spec, Schedule.Status> change) {
    if (change instanceof Change.Put<Schedule.Spec, Schedule.Status> put) {
      remember(put.resource().spec());
    } else if (change instanceof Change.Ended<Schedule.Spec, Schedule.Status>) {
      loop.after(
          PACE,
          () -> {
            if (!closed) {
              start();
            }
          });
    }
  }

  /**
   * Reads all objects and follows their changes.
   *
   * @return false if it does so already
   */
  boolean open() {
    if (opened || closed) {
      return false;
    }
    opened = true;
    flushed = loop.now();
    read();
    return true;
  }

  /** Forgets the rows, and follows their objects no more until it is opened again. */
  void pause() {
    opened = false;
    watches.forEach(Watch::close);
    watches.clear();
    rows.clear();
    dirty.clear();
  }

  /** The number of instances that nodes should run and that no row shows. */
  int unreported() {
    return InstanceCounts.unreported(store);
  }

  private void read() {
    rows.clear();
    dirty.clear();
    KINDS.forEach(this::follow);
  }

  private <S, T> void follow(Kind<S, T> kind) {
    var page = store.list(kind, verwalter.stores.api.Query.ALL);
    page.items().forEach(this::show);
    watches.add(
        store.watch(kind, OptionalLong.of(page.revision()), loop, change -> apply(kind, change)));
  }

  void close() {
    closed = true;
    schedules.close();
    pause();
  }

  private <S, T> void apply(Kind<S, T> kind, Change<S, T> change) {
    if (change instanceof Change.Put<S, T> put) {
      touch(kind, put.resource());
    } else if (change instanceof Change.Removed<S, T> removed) {
      touch(kind, removed.resource());
    } else if (change instanceof Change.Ended<S, T>) {
      watches.forEach(Watch::close);
      watches.clear();
      loop.after(PACE, this::restart);
    }
  }

  private void restart() {
    if (opened && watches.isEmpty()) {
      read();
      listener.accept(new Update(true, List.of(), Set.of()));
    }
  }

  private void touch(Kind<?, ?> kind, Resource<?, ?> resource) {
    dirty.put(resource.key(), kind);
    requestUpdate();
  }

  /** Reports an update soon, also if no row changes, unless it is paused then. */
  void requestUpdate() {
    if (!scheduled) {
      scheduled = true;
      var wait = Duration.between(loop.now(), flushed.plus(PACE));
      loop.after(wait.compareTo(BURST) < 0 ? BURST : wait, this::flush);
    }
  }

  private void flush() {
    scheduled = false;
    if (!opened) {
      return;
    }
    flushed = loop.now();
    var changed = new ArrayList<Row>();
    var gone = new LinkedHashSet<String>();
    dirty.forEach((key, kind) -> refresh(key, kind, changed, gone));
    dirty.clear();
    listener.accept(new Update(false, List.copyOf(changed), Set.copyOf(gone)));
  }

  private void refresh(ResourceKey key, Kind<?, ?> kind, List<Row> changed, Set<String> gone) {
    var before = rows.getOrDefault(key, List.of());
    var object = store.get(kind, key.name());
    object.ifPresentOrElse(this::show, () -> rows.remove(key));
    var after = rows.getOrDefault(key, List.of());
    var kept = new HashSet<String>();
    for (var row : after) {
      kept.add(row.id());
      if (!before.contains(row)) {
        changed.add(row);
      }
    }
    before.stream().map(Row::id).filter(id -> !kept.contains(id)).forEach(gone::add);
  }

  private void show(Resource<?, ?> object) {
    var made = Section.rows(object);
    if (!made.isEmpty()) {
      rows.put(object.key(), made);
    } else {
      rows.remove(object.key());
    }
  }

  private void remember(Schedule.Spec schedule) {
    if (!schedule.decided()) {
      return;
    }
    if (current.filter(it -> !it.hash().equals(schedule.hash())).isPresent()) {
      previous = current;
    }
    current = Optional.of(schedule);
  }

  /** The rows of a table, in its order. */
  Stream<Row> rows(Section section) {
    return unordered(section).sorted(Comparator.comparing(Row::sort));
  }

  /** The rows of a table in any order. */
  Stream<Row> unordered(Section section) {
    return rows.values().stream().flatMap(List::stream).filter(row -> row.section() == section);
  }

  /** The object of the current schedule, if there is one. */
  Optional<Resource<Schedule.Spec, Schedule.Status>> schedule() {
    return store.get(Schedule.KIND, Schedule.CURRENT);
  }

  /** The previous schedule, if this agent has seen it. */
  Optional<Schedule.Spec> previous() {
    return previous;
  }
}
