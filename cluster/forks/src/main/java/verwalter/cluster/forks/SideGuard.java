package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.Scope;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The store for people. While it is that of a fork, writes to objects of the cluster are refused,
 * except actions: the others are not merged when the majority is back.
 */
final class SideGuard extends ForwardingStore<ObjectStore> {
  private static final String WHY =
      "this side of the cluster has no majority; only actions are accepted until it is back";

  private final BooleanSupplier isFork;

  SideGuard(ObjectStore store, BooleanSupplier isFork) {
    super(store);
    this.isFork = isFork;
  }

  private static boolean isAllowed(Write write) {
    var kind = write.resource().type();
    return kind.scope() == Scope.NODE || kind.equals(Action.KIND);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return isFork.getAsBoolean() && !writes.stream().allMatch(SideGuard::isAllowed)
        ? Future.failedFuture(new StoreException.Unavailable(WHY))
        : super.commit(writes, fence);
  }
}
