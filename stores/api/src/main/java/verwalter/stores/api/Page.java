package verwalter.stores.api;

import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;

/**
 * Objects as they all stood at one revision, by name.
 *
 * @param revision the store's revision they stood at; watch from here
 * @param next the token for {@link Query#continuing}, if there are more
 * @param remaining how many more there are, before the filter
 */
public record Page<S, T>(
    List<Resource<S, T>> items, long revision, Optional<String> next, int remaining) {
  public Page {
    items = List.copyOf(items);
  }
}
