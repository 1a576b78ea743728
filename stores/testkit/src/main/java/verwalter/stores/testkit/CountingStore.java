package verwalter.stores.testkit;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Write;

/** A store that counts reads and writes by kind, so that tests can limit them. */
public final class CountingStore extends ForwardingEpochStore<EpochStore> {
  /**
   * Counts of writes of one kind; {@code asked} is the sum of the other counts and of the writes in
   * progress.
   *
   * @param asked number of requested writes
   * @param committed number of writes with an effect
   * @param unchanged number of writes without a difference
   * @param failed number of refused or lost writes
   */
  public record Count(long asked, long committed, long unchanged, long failed) {
    /** No writes. */
    public static final Count NONE = new Count(0, 0, 0, 0);

    Count plus(Count more) {
      return new Count(
          asked + more.asked,
          committed + more.committed,
          unchanged + more.unchanged,
          failed + more.failed);
    }
  }

  private static final Count ASKED = new Count(1, 0, 0, 0);
  private static final Count COMMITTED = new Count(0, 1, 0, 0);
  private static final Count UNCHANGED = new Count(0, 0, 1, 0);
  private static final Count FAILED = new Count(0, 0, 0, 1);

  private final Map<String, Count> counts = new TreeMap<>();
  private final Map<String, Long> listed = new TreeMap<>();
  private final Map<String, Long> read = new TreeMap<>();

  /** Counts the reads and writes of {@code real}. */
  public CountingStore(EpochStore real) {
    super(real);
  }

  /** The writes of a kind since the last {@link #reset}. */
  public synchronized Count count(Kind<?, ?> kind) {
    return counts.getOrDefault(kind.name(), Count.NONE);
  }

  /** All writes since the last {@link #reset}. */
  public synchronized Count total() {
    return counts.values().stream().reduce(Count.NONE, Count::plus);
  }

  /** Resets all counts. */
  public synchronized void reset() {
    counts.clear();
    listed.clear();
    read.clear();
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    synchronized (this) {
      read.merge(kind.name(), 1L, Long::sum);
    }
    return real.get(kind, name);
  }

  /** The number of reads of single objects of a kind since the last {@link #reset}. */
  public synchronized long read(Kind<?, ?> kind) {
    return read.getOrDefault(kind.name(), 0L);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    var page = real.list(kind, query);
    synchronized (this) {
      listed.merge(kind.name(), (long) page.items().size(), Long::sum);
    }
    return page;
  }

  /** The number of objects of a kind returned by lists since the last {@link #reset}. */
  public synchronized long listed(Kind<?, ?> kind) {
    return listed.getOrDefault(kind.name(), 0L);
  }

  @Override
  public <S, T> Future<Resource<S, T>> put(Resource<S, T> resource) {
    add(resource, ASKED);
    long before = real.revision();
    return counted(real.put(resource), resource, before);
  }

  @Override
  public <S, T> Future<Resource<S, T>> putStatus(Resource<S, T> resource) {
    add(resource, ASKED);
    long before = real.revision();
    return counted(real.putStatus(resource), resource, before);
  }

  @Override
  public <S, T> Future<Resource<S, T>> remove(Resource<S, T> resource) {
    add(resource, ASKED);
    long before = real.revision();
    return counted(real.remove(resource), resource, before);
  }

  private <S, T> Future<Resource<S, T>> counted(
      Future<Resource<S, T>> written, Resource<S, T> resource, long before) {
    return written
        .onSuccess(now -> add(resource, now.meta().version() > before ? COMMITTED : UNCHANGED))
        .onFailure(refused -> add(resource, FAILED));
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    writes.forEach(write -> add(write.resource(), ASKED));
    long before = real.revision();
    return real.commit(writes, fence)
        .onSuccess(
            all ->
                all.forEach(now -> add(now, now.meta().version() > before ? COMMITTED : UNCHANGED)))
        .onFailure(refused -> writes.forEach(write -> add(write.resource(), FAILED)));
  }

  private synchronized void add(Resource<?, ?> resource, Count one) {
    counts.merge(resource.type().name(), one, Count::plus);
  }
}
