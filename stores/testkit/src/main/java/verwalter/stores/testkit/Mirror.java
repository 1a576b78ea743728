package verwalter.stores.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;

/** A cache of the objects of one kind, fed by a slow watch. */
final class Mirror<S, T> {
  private final FaultyStore store;
  private final TreeMap<String, Resource<S, T>> objects = new TreeMap<>();
  private final ArrayDeque<Change<S, T>> underWay = new ArrayDeque<>();
  private final Watch feed;
  private long revision;
  private Instant lastArrival;

  Mirror(FaultyStore store, Kind<S, T> kind) {
    this.store = store;
    this.lastArrival = store.line().now();
    var now = store.real().list(kind, Query.ALL);
    now.items().forEach(each -> objects.put(each.name(), each));
    this.revision = now.revision();
    this.feed = store.real().watch(kind, OptionalLong.of(revision), store.line(), this::depart);
  }

  /** The revision up to which the cache is complete. */
  long revision() {
    return revision;
  }

  Optional<Resource<S, T>> get(String name) {
    return Optional.ofNullable(objects.get(name));
  }

  Page<S, T> list(Query query) {
    var items =
        objects.values().stream()
            .filter(query.selection()::selects)
            .filter(query.filter())
            .toList();
    return new Page<>(items, revision, Optional.empty(), 0);
  }

  void close() {
    feed.close();
    underWay.clear();
  }

  private void depart(Change<S, T> change) {
    if (change instanceof Change.Ended) {
      store.renew(this);
      return;
    }
    var last = underWay.peekLast();
    underWay.add(change);
    if (last != null && last.revision() == change.revision()) {
      return; // applied together with the rest of its transaction
    }
    var now = store.line().now();
    var arrival = now.plus(store.lag());
    lastArrival = arrival.isBefore(lastArrival) ? lastArrival : arrival;
    store.line().after(Duration.between(now, lastArrival), this::arrive);
  }

  private void arrive() {
    var next = underWay.peek();
    if (next == null) {
      return;
    }
    revision = next.revision();
    while (next != null && next.revision() == revision) {
      show(underWay.remove());
      next = underWay.peek();
    }
    store.advanced(this);
  }

  private void show(Change<S, T> change) {
    if (change instanceof Change.Put<S, T> put) {
      objects.put(put.resource().name(), put.resource());
    } else if (change instanceof Change.Removed<S, T> removed) {
      objects.remove(removed.resource().name());
    }
  }
}
