package verwalter.bench;

import io.vertx.core.Future;
import java.util.List;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Write;

/** A store that counts the objects that are written. */
final class WrittenObjects extends ForwardingEpochStore<EpochStore> {
  private long count;

  WrittenObjects(EpochStore real) {
    super(real);
  }

  /** The number of objects that were written and changed. */
  long count() {
    return count;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    long before = real.revision();
    return real.commit(writes, fence)
        .onSuccess(
            all -> count += all.stream().filter(each -> each.meta().version() > before).count());
  }
}
