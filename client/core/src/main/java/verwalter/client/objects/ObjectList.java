package verwalter.client.objects;

import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;

/**
 * The answer to a list.
 *
 * @param version the version to watch from
 * @param next the token of the next page; empty for the last page
 */
public record ObjectList<S, T>(List<Resource<S, T>> items, String version, Optional<String> next) {
  public ObjectList {
    items = List.copyOf(items);
  }
}
