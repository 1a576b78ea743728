package verwalter.stores.api;

import java.util.Optional;
import java.util.function.Predicate;
import verwalter.model.Resource;

/**
 * Which objects of a kind to list.
 *
 * @param selection which ones the store looks at, by an index
 * @param filter which of these it returns; see {@code Selectors} for label and field selectors
 * @param limit how many at most; 0 for all
 * @param continuing the token of the page before, if this is not the first
 */
public record Query(
    Selection selection, Predicate<Resource<?, ?>> filter, int limit, Optional<String> continuing) {
  /** Every object of the kind. */
  public static final Query ALL = of(Selection.ALL);

  /** The objects of a selection. */
  public static Query of(Selection selection) {
    return new Query(selection, any -> true, 0, Optional.empty());
  }

  /** The objects of the kind that a filter lets through; the store looks at each of them. */
  public static Query where(Predicate<Resource<?, ?>> filter) {
    return ALL.filtered(filter);
  }

  /** The same, with this filter instead. */
  public Query filtered(Predicate<Resource<?, ?>> filter) {
    return new Query(selection, filter, limit, continuing);
  }

  /** The same, but at most so many. */
  public Query limit(int limit) {
    return new Query(selection, filter, limit, continuing);
  }

  /** The same, after the page that gave {@code token}. */
  public Query continuing(String token) {
    return new Query(selection, filter, limit, Optional.of(token));
  }
}
