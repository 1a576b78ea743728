package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Write;

/** The store of one run of an agent, which may be killed before and after each write. */
final class CrashingStore extends ForwardingEpochStore<EpochStore> {
  private final CrashPoints points;

  CrashingStore(EpochStore real, CrashPoints points) {
    super(real);
    this.points = points;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return points.around(text(writes), () -> real.commit(writes, fence));
  }

  private static String text(List<Write> writes) {
    return writes.stream()
        .map(it -> it.getClass().getSimpleName() + " " + it.resource().key())
        .collect(Collectors.joining(", "));
  }
}
