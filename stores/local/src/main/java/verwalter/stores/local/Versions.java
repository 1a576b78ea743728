package verwalter.stores.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;

/**
 * What readers and watchers of a store see: the committed state, the recent past, and who listens.
 *
 * <p>Reads take the present state from one volatile field and never wait. Everything else is
 * guarded by this object's lock, which nobody holds while doing more than a few hundred steps;
 * loops are called outside it.
 */
final class Versions {
  private static final Logger LOG = LoggerFactory.getLogger(Versions.class);

  /** How many states are kept for lists that were begun and may continue. */
  private static final int MOST_PAGED = 64;

  private final History history;
  private final long bookmarkEvery;
  private final TreeMap<Long, State> paged = new TreeMap<>();
  private final Map<String, Set<Subscription<?, ?>>> subscriptions = new HashMap<>();
  private volatile State state;

  /** What is to be seen of {@code state}, which came about by what {@code history} holds. */
  Versions(State state, History history, HistoryLimit limit) {
    this.state = state;
    this.history = history;
    this.bookmarkEvery = Math.max(1, limit.changes() / 10);
  }

  State state() {
    return state;
  }

  /** Makes transactions visible, all at once, and wakes who watches what they changed. */
  void publish(List<Outcome> outcomes) {
    for (var each : commit(outcomes)) {
      try {
        each.wake();
      } catch (RuntimeException closed) {
        LOG.warn("kind={} a watcher's loop takes no tasks; the watch is closed", each.kind());
        each.close();
      }
    }
  }

  private synchronized Set<Subscription<?, ?>> commit(List<Outcome> outcomes) {
    var kinds = new HashSet<String>();
    long before = state.revision();
    for (var outcome : outcomes) {
      kinds.addAll(history.add(outcome.state().revision(), outcome.effects()));
      state = outcome.state();
    }
    paged.headMap(history.dropped()).clear();
    boolean bookmark = before / bookmarkEvery != state.revision() / bookmarkEvery;
    var awake = new LinkedHashSet<Subscription<?, ?>>();
    subscriptions.forEach(
        (kind, each) -> {
          if (bookmark || kinds.contains(kind)) {
            awake.addAll(each);
          }
        });
    if (bookmark) {
      awake.forEach(Subscription::askBookmark);
    }
    return awake;
  }

  /** Goes on at a later version, with the same objects. */
  synchronized void begin(long version) {
    state = state.at(version);
  }

  <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return state.kind(kind.name()).get(name).map(found -> mine(kind, found));
  }

  <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    var token = query.continuing().map(text -> PageToken.parse(kind, text));
    var from = token.map(each -> stateAt(each.revision())).orElse(state);
    var after = token.map(PageToken::name).orElse("");
    var items = new ArrayList<Resource<S, T>>();
    var last = new String[] {after};
    var named = selected(from.kind(kind.name()), query.selection());
    named.visitAfter(
        after,
        (name, each) -> {
          if (query.limit() > 0 && items.size() >= query.limit()) {
            return false;
          }
          last[0] = name;
          return !query.filter().test(each.resource()) || items.add(mine(kind, each));
        });
    int remaining = query.limit() > 0 ? named.countAfter(last[0]) : 0;
    if (remaining == 0) {
      return new Page<>(items, from.revision(), Optional.empty(), 0);
    }
    keep(from);
    var next = new PageToken(from.revision(), last[0]).text();
    return new Page<>(items, from.revision(), Optional.of(next), remaining);
  }

  private static Tree<Stored> selected(Tree<Stored> all, Selection selection) {
    if (selection instanceof Selection.All) {
      return all;
    }
    var selected = new ArrayList<Map.Entry<String, Stored>>();
    all.visitAfter(
        "",
        (name, each) -> !selection.selects(each.resource()) || selected.add(Map.entry(name, each)));
    return Tree.sorted(selected);
  }

  <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    var subscription = subscribe(kind, selection, after, loop, watcher);
    subscription.wake();
    return subscription;
  }

  private synchronized <S, T> Subscription<S, T> subscribe(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    var line = history.line(kind.name());
    var subscription =
        after.isEmpty()
            ? Subscription.replaying(this, kind, selection, loop, watcher, state, line.count())
            : resuming(kind, selection, after.getAsLong(), loop, watcher, line);
    subscriptions.computeIfAbsent(kind.name(), any -> new LinkedHashSet<>()).add(subscription);
    return subscription;
  }

  /** A revision this store never had is refused too: what its reader saw is not what is here. */
  private <S, T> Subscription<S, T> resuming(
      Kind<S, T> kind,
      Selection selection,
      long after,
      Loop loop,
      Consumer<Change<S, T>> watcher,
      History.Line line) {
    if (after < line.dropped() || after > state.revision()) {
      var reason = new StoreException.TooOld(after, line.dropped());
      return Subscription.refused(this, kind, selection, loop, watcher, after, reason);
    }
    return Subscription.following(
        this, kind, selection, loop, watcher, after, line.countUpTo(after));
  }

  synchronized void forget(Subscription<?, ?> subscription) {
    var same = subscriptions.get(subscription.kind());
    if (same != null) {
      same.remove(subscription);
    }
  }

  /** Closes every watch; what was told stays told, and nothing follows. */
  void close() {
    var all = new ArrayList<Subscription<?, ?>>();
    synchronized (this) {
      subscriptions.values().forEach(all::addAll);
    }
    all.forEach(Subscription::close);
  }

  /** What happened to a kind after {@code heard}: at least {@code turn} changes, if there are. */
  synchronized News news(String kind, long heard, int turn) {
    var line = history.line(kind);
    var groups = new ArrayList<History.Group>();
    int size = 0;
    boolean more = false;
    for (var group : line.after(heard).values()) {
      more = size >= turn;
      if (more) {
        break;
      }
      groups.add(group);
      size += group.changes().size();
    }
    long upTo = more ? groups.get(groups.size() - 1).revision() : state.revision();
    return new News(groups, upTo, more, line.dropped(), line.count());
  }

  private synchronized void keep(State from) {
    paged.put(from.revision(), from);
    if (paged.size() > MOST_PAGED) {
      paged.pollFirstEntry();
    }
  }

  private synchronized State stateAt(long revision) {
    if (revision == state.revision()) {
      return state;
    }
    var kept = paged.get(revision);
    if (kept == null) {
      throw new StoreException.TooOld(
          revision, paged.isEmpty() ? state.revision() : paged.firstKey());
    }
    return kept;
  }

  /** Sound because each object is filed under its own kind. */
  @SuppressWarnings({"unchecked", "unused"})
  private static <S, T> Resource<S, T> mine(Kind<S, T> kind, Stored found) {
    return (Resource<S, T>) found.resource();
  }
}
