package verwalter.ui.port;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.cluster.ClusterView;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.ObjectStore;

/** Determines the author of a request's writes. Called on the loop; never blocks. */
@FunctionalInterface
public interface Authors {
  /** The author of the request's writes. */
  Author author(HttpServerRequest request);

  /** Every request is made by operators, who write to the cluster while this node leads. */
  static Authors operators(ObjectStore store, ClusterView cluster) {
    return request ->
        new Author(
            Writer.OPERATOR,
            Optional.empty(),
            cluster.leads() ? OptionalLong.of(store.epoch()) : OptionalLong.empty());
  }
}
