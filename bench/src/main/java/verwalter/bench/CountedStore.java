package verwalter.bench;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/** A store that counts the objects that are written, listed, and reported to watchers. */
final class CountedStore extends ForwardingEpochStore<EpochStore> {
  private final Map<String, Long> counts = new TreeMap<>();

  CountedStore(EpochStore real) {
    super(real);
  }

  /** Counts since the last {@link #reset}, such as {@code "listed ProcessGroup"}. */
  Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  /** The sum of the counts whose names begin with the prefix. */
  long sum(String prefix) {
    return counts.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  void reset() {
    counts.clear();
  }

  private void count(String what, Kind<?, ?> kind, long number) {
    if (number > 0) {
      counts.merge(what + " " + kind.name(), number, Long::sum);
    }
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    count("read", kind, 1);
    return real.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    // A filter reads every object of the selection, including those that it drops.
    var looked = new long[1];
    var page =
        real.list(
            kind,
            query.filtered(
                each -> {
                  looked[0]++;
                  return query.filter().test(each);
                }));
    count("listed", kind, looked[0]);
    return page;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    long before = real.revision();
    return real.commit(writes, fence)
        .onSuccess(
            all ->
                all.forEach(
                    now -> count("written", now.type(), now.meta().version() > before ? 1 : 0)));
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return real.watch(
        kind,
        selection,
        after,
        loop,
        change -> {
          count("watched", kind, 1);
          watcher.accept(change);
        });
  }
}
