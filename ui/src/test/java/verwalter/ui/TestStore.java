package verwalter.ui;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Change;
import verwalter.stores.api.Loop;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Watch;
import verwalter.stores.api.Write;

/** Just enough of a store to serve from. */
@SuppressWarnings("unchecked")
final class TestStore implements ObjectStore {
  private final TreeMap<ResourceKey, Resource<?, ?>> objects = new TreeMap<>();
  private final List<Change<?, ?>> history = new ArrayList<>();
  private final List<Consumer<Change<?, ?>>> watchers = new ArrayList<>();
  private long revision = 100;
  private final long oldest = 100;

  private static Kind<?, ?> kind(Change<?, ?> change) {
    return change instanceof Change.Put<?, ?> put
        ? put.resource().type()
        : ((Change.Removed<?, ?>) change).resource().type();
  }

  @Override
  public synchronized <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return Optional.ofNullable((Resource<S, T>) objects.get(kind.key(name)));
  }

  @Override
  public synchronized <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    var token = query.continuing().map(it -> it.split("/", 2));
    if (token.isPresent() && Long.parseLong(token.get()[0]) != revision) {
      throw new StoreException.TooOld(Long.parseLong(token.get()[0]), revision);
    }
    var all =
        objects.values().stream()
            .filter(it -> it.type().equals(kind) && query.filter().test(it))
            .filter(it -> token.isEmpty() || it.name().compareTo(token.get()[1]) > 0)
            .sorted(Comparator.comparing(Resource::name))
            .map(it -> (Resource<S, T>) it)
            .toList();
    if (query.limit() == 0 || all.size() <= query.limit()) {
      return new Page<>(all, revision, Optional.empty(), 0);
    }
    var page = all.subList(0, query.limit());
    return new Page<>(
        page,
        revision,
        Optional.of(revision + "/" + page.get(page.size() - 1).name()),
        all.size() - page.size());
  }

  @Override
  public synchronized <S, T> Future<Resource<S, T>> put(Resource<S, T> wanted) {
    var key = wanted.key();
    var meta = wanted.meta();
    var old = (Resource<S, T>) objects.get(key);
    if (old == null && meta.version() != 0) {
      return Future.failedFuture(new StoreException.Missing(key));
    }
    if (old != null && meta.version() == 0) {
      return Future.failedFuture(new StoreException.Exists(key));
    }
    if (old != null && old.meta().version() != meta.version()) {
      return Future.failedFuture(
          new StoreException.Conflict(key, meta.version(), old.meta().version()));
    }
    revision++;
    var next =
        wanted.withMeta(
            old == null
                ? meta.committed(
                    UUID.randomUUID().toString(),
                    revision,
                    1,
                    Optional.of(Instant.now()),
                    Optional.empty())
                : meta.committed(
                    old.meta().uid(),
                    revision,
                    old.meta().generation() + (old.spec().equals(wanted.spec()) ? 0 : 1),
                    old.meta().created(),
                    old.meta().deleted()));
    if (next.meta().deleting() && next.meta().finalizers().isEmpty()) {
      return vanish(next);
    }
    objects.put(key, next);
    tell(new Change.Put<>(next, old == null));
    return Future.succeededFuture(next);
  }

  private <S, T> Future<Resource<S, T>> vanish(Resource<S, T> last) {
    objects.remove(last.key());
    tell(new Change.Removed<>(last));
    return Future.succeededFuture(last);
  }

  @Override
  public synchronized <S, T> Future<Resource<S, T>> remove(Resource<S, T> doomed) {
    var old = (Resource<S, T>) objects.get(doomed.key());
    if (old == null) {
      return Future.failedFuture(new StoreException.Missing(doomed.key()));
    }
    revision++;
    Function<Optional<Instant>, Resource<S, T>> next =
        deleted ->
            old.withMeta(
                old.meta()
                    .committed(
                        old.meta().uid(),
                        revision,
                        old.meta().generation(),
                        old.meta().created(),
                        deleted));
    if (old.meta().finalizers().isEmpty()) {
      return vanish(next.apply(Optional.empty()));
    }
    var deleting = next.apply(Optional.of(Instant.now()));
    objects.put(old.key(), deleting);
    tell(new Change.Put<>(deleting, false));
    return Future.succeededFuture(deleting);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes) {
    throw new UnsupportedOperationException();
  }

  private void tell(Change<?, ?> change) {
    history.add(change);
    List.copyOf(watchers).forEach(it -> it.accept(change));
  }

  @Override
  public synchronized <S, T> Watch watch(
      Kind<S, T> kind, OptionalLong after, Loop loop, Consumer<Change<S, T>> watcher) {
    var open = new boolean[] {true};
    Consumer<Change<S, T>> later =
        change ->
            loop.execute(
                () -> {
                  if (open[0]) {
                    watcher.accept(change);
                  }
                });
    if (after.isPresent() && after.getAsLong() < oldest) {
      later.accept(
          new Change.Ended<>(revision, new StoreException.TooOld(after.getAsLong(), oldest)));
      return () -> {};
    }
    if (after.isEmpty()) {
      list(kind).forEach(it -> later.accept(new Change.Put<>(it, true)));
      later.accept(new Change.Bookmark<>(revision));
    } else {
      history.stream()
          .filter(it -> kind(it).equals(kind) && it.revision() > after.getAsLong())
          .forEach(it -> later.accept((Change<S, T>) it));
    }
    Consumer<Change<?, ?>> each =
        change -> {
          if (kind(change).equals(kind)) {
            later.accept((Change<S, T>) change);
          }
        };
    watchers.add(each);
    return () -> {
      open[0] = false;
      watchers.remove(each);
    };
  }

  @Override
  public synchronized long revision() {
    return revision;
  }
}
