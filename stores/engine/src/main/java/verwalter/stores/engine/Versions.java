package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
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
 * The committed state, the history and the watchers of a store.
 *
 * <p>Reads take the present state from a volatile field and never wait. Everything else is guarded
 * by this object's lock, which is held for a few hundred steps at most, or for one pass over the
 * history when a watch of a selection resumes or ends. Loops are called without the lock.
 */
final class Versions {
  private static final Logger LOG = LoggerFactory.getLogger(Versions.class);

  /** The limit of states that are kept for the next pages of lists. */
  private static final int MOST_PAGED = 64;

  private ChangeHistory history;
  private final long bookmarkEvery;
  private final TreeMap<Long, State> paged = new TreeMap<>();

  /** Watchers by the key of their range: the name of a kind, or the key of a selection. */
  private final Map<String, Set<Subscription<?, ?>>> subscriptions = new HashMap<>();

  private final LongAdder visited = new LongAdder();
  private long sinceBookmark;
  private volatile State state;

  /** Creates the versions of a store from its present state and history. */
  Versions(State state, ChangeHistory history, HistoryLimit limit) {
    this.state = state;
    this.history = history;
    this.bookmarkEvery = Math.max(1, limit.changes() / 10);
  }

  State state() {
    return state;
  }

  /** The number of objects that lists and watches have read. */
  long visited() {
    return visited.sum();
  }

  void visit(int objects) {
    visited.add(objects);
  }

  synchronized long historyBytes() {
    return history.bytes();
  }

  /** Makes outcomes visible atomically, and wakes the watchers of changed ranges. */
  void publish(List<Outcome> outcomes) {
    wake(commit(outcomes));
  }

  private static void wake(Iterable<Subscription<?, ?>> watches) {
    for (var each : watches) {
      try {
        each.wake();
      } catch (RuntimeException closed) {
        LOG.warn(
            "kind={} a watcher's loop does not accept tasks; the watch is closed", each.kind());
        each.close();
      }
    }
  }

  private synchronized Set<Subscription<?, ?>> commit(List<Outcome> outcomes) {
    var changed = new LinkedHashSet<String>();
    for (var outcome : outcomes) {
      var next = outcome.state();
      if (!outcome.effects().isEmpty()) {
        changed.addAll(history.add(next.version(), outcome.effects()));
        sinceBookmark++;
      } else if (next.version() != state.version()) {
        history.beginEpoch(state.version(), next.version());
        sinceBookmark = bookmarkEvery; // so that watches need not resume from another epoch
      }
      state = next;
    }
    paged.headMap(history.dropped()).clear();
    var awake = new LinkedHashSet<Subscription<?, ?>>();
    if (sinceBookmark >= bookmarkEvery) {
      sinceBookmark = 0;
      subscriptions.values().forEach(awake::addAll);
      awake.forEach(Subscription::askBookmark);
    } else {
      changed.forEach(key -> awake.addAll(subscriptions.getOrDefault(key, Set.of())));
    }
    return awake;
  }

  /** Replaces the state and the history. All watches end, and their watchers must list again. */
  void replace(State next, ChangeHistory changes) {
    var all = new ArrayList<Subscription<?, ?>>();
    synchronized (this) {
      subscriptions.values().forEach(all::addAll);
      var why = new StoreException.TooOld(state.version(), next.version());
      all.forEach(each -> each.expire(why));
      subscriptions.clear();
      paged.clear();
      history = changes;
      state = next;
    }
    wake(all);
  }

  <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return state.kind(kind.name()).get(name).map(found -> mine(kind, found));
  }

  <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    var range = IndexRange.of(kind.name(), query.selection());
    var token = query.continuing().map(text -> PageToken.parse(kind, text));
    var from = token.map(each -> stateAt(each.version())).orElse(state);
    var after = token.map(PageToken::name).orElse("");
    var items = new ArrayList<Resource<S, T>>();
    var last = new String[] {after};
    int[] seen = {0};
    from.visit(
        range,
        after,
        (name, each) -> {
          if (query.limit() > 0 && items.size() >= query.limit()) {
            return false;
          }
          last[0] = name;
          seen[0]++;
          return !query.filter().test(each.resource()) || items.add(mine(kind, each));
        });
    visit(seen[0]);
    int remaining = query.limit() > 0 ? from.countAfter(range, last[0]) : 0;
    if (remaining == 0) {
      return new Page<>(items, from.version(), Optional.empty(), 0);
    }
    keep(from);
    var next = new PageToken(from.version(), last[0]).text();
    return new Page<>(items, from.version(), Optional.of(next), remaining);
  }

  <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    var range = IndexRange.of(kind.name(), selection);
    var subscription = subscribe(new Subscription<>(this, kind, range, loop, watcher), after);
    subscription.wake();
    return subscription;
  }

  private synchronized <S, T> Subscription<S, T> subscribe(
      Subscription<S, T> subscription, OptionalLong after) {
    long from = after.orElse(state.version());
    var sequence = history.follow(subscription.range(), from, state.version());
    if (after.isEmpty()) {
      subscription.replay(state, sequence.count());
    } else if (from < sequence.dropped() || from > state.version() || !history.had(from)) {
      subscription.refuse(from, new StoreException.TooOld(from, sequence.dropped()));
    } else {
      subscription.follow(from, sequence.countUpTo(from));
    }
    subscriptions
        .computeIfAbsent(key(subscription), any -> new LinkedHashSet<>())
        .add(subscription);
    return subscription;
  }

  private static String key(Subscription<?, ?> subscription) {
    var range = subscription.range();
    return range.isWhole() ? range.kind() : range.key();
  }

  synchronized void forget(Subscription<?, ?> subscription) {
    var key = key(subscription);
    var same = subscriptions.get(key);
    if (same != null && same.remove(subscription) && same.isEmpty()) {
      subscriptions.remove(key);
      history.forget(subscription.range());
    }
  }

  /** Closes all watches. Nothing is reported afterwards. */
  void close() {
    var all = new ArrayList<Subscription<?, ?>>();
    synchronized (this) {
      subscriptions.values().forEach(all::addAll);
    }
    all.forEach(Subscription::close);
  }

  /**
   * The changes of a range after {@code position}: at least {@code turn} of them, if there are as
   * many. Empty if the last watch of the range was closed, so that its changes are not kept.
   */
  synchronized Optional<ChangeBatch> changesAfter(IndexRange range, long position, int turn) {
    return history.sequence(range).map(sequence -> batch(sequence, position, turn));
  }

  private ChangeBatch batch(ChangeHistory.Sequence sequence, long position, int turn) {
    var groups = new ArrayList<ChangeHistory.Group>();
    int size = 0;
    boolean more = false;
    for (var group : sequence.after(position).values()) {
      more = size >= turn;
      if (more) {
        break;
      }
      groups.add(group);
      size += group.changes().size();
    }
    long upTo = more ? groups.get(groups.size() - 1).version() : state.version();
    return new ChangeBatch(groups, upTo, more, sequence.dropped(), sequence.count());
  }

  private synchronized void keep(State from) {
    paged.put(from.version(), from);
    if (paged.size() > MOST_PAGED) {
      paged.pollFirstEntry();
    }
  }

  private synchronized State stateAt(long version) {
    if (version == state.version()) {
      return state;
    }
    var kept = paged.get(version);
    if (kept == null) {
      throw new StoreException.TooOld(
          version, paged.isEmpty() ? state.version() : paged.firstKey());
    }
    return kept;
  }

  /** Casts an object to its kind. Safe because objects are stored by kind. */
  @SuppressWarnings({"unchecked", "unused"})
  private static <S, T> Resource<S, T> mine(Kind<S, T> kind, Stored found) {
    return (Resource<S, T>) found.resource();
  }
}
