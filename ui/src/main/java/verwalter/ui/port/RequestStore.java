package verwalter.ui.port;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import verwalter.model.Resource;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The store as the author of one request. A leader begins its epoch after it is elected. A write
 * that was fenced by the epoch before is decided once more, as long as this node leads: for a
 * person it makes no difference in which epoch it is accepted.
 */
public final class RequestStore extends ForwardingStore<ObjectStore> {
  private final Supplier<Author> author;

  /**
   * Creates a store.
   *
   * @param author the author now; it changes with the epoch
   */
  public RequestStore(ObjectStore store, Supplier<Author> author) {
    super(store);
    this.author = author;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var first = author.get();
    return AuthoredStore.of(real, first)
        .commit(writes, fence)
        .recover(
            refusal -> {
              var now = author.get();
              return refusal instanceof StoreException.Fenced
                      && now.epoch().isPresent()
                      && !now.equals(first)
                  ? AuthoredStore.of(real, now).commit(writes, fence)
                  : Future.failedFuture(refusal);
            });
  }
}
