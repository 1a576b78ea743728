package verwalter.stores.api;

import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;

/**
 * Objects at one revision, sorted by name.
 *
 * @param revision the revision of the list; a watch can begin here
 * @param next the token for {@link Query#continuing}, if there are more
 * @param remaining number of further objects before filtering
 */
public record Page<S, T>(
    List<Resource<S, T>> items, long revision, Optional<String> next, int remaining) {
  public Page {
    items = List.copyOf(items);
  }
}
