package verwalter.stores.api;

import java.util.Optional;
import java.util.function.Predicate;
import verwalter.model.Resource;

/**
 * Which objects of a kind to list.
 *
 * @param filter which ones; see {@code Selectors} for label and field selectors
 * @param limit how many at most; 0 for all
 * @param continuing the token of the page before, if this is not the first
 */
public record Query(Predicate<Resource<?, ?>> filter, int limit, Optional<String> continuing) {
  /** Everything there is. */
  public static final Query ALL = new Query(any -> true, 0, Optional.empty());

  public static Query where(Predicate<Resource<?, ?>> filter) {
    return new Query(filter, 0, Optional.empty());
  }

  public Query limit(int limit) {
    return new Query(filter, limit, continuing);
  }

  public Query continuing(String token) {
    return new Query(filter, limit, Optional.of(token));
  }
}
