package verwalter.stores.api;

import java.util.Optional;
import java.util.function.Predicate;
import verwalter.model.Resource;

/**
 * The parameters of a list.
 *
 * @param selection the objects that the store reads, using an index
 * @param filter the objects among these to return; see {@code Selectors} for label and field
 *     selectors
 * @param limit the largest number of objects; 0 for all
 * @param continuing the token of the previous page; empty for the first page
 */
public record Query(
    Selection selection, Predicate<Resource<?, ?>> filter, int limit, Optional<String> continuing) {
  /** Every object of the kind. */
  public static final Query ALL = of(Selection.ALL);

  /** The objects of a selection. */
  public static Query of(Selection selection) {
    return new Query(selection, any -> true, 0, Optional.empty());
  }

  /** The objects of the kind that match a filter. The store reads all objects of the kind. */
  public static Query where(Predicate<Resource<?, ?>> filter) {
    return ALL.filtered(filter);
  }

  /** Returns a copy with this filter. */
  public Query filtered(Predicate<Resource<?, ?>> filter) {
    return new Query(selection, filter, limit, continuing);
  }

  /** Returns a copy with this limit. */
  public Query limit(int limit) {
    return new Query(selection, filter, limit, continuing);
  }

  /** Returns a copy that continues after the page with this token. */
  public Query continuing(String token) {
    return new Query(selection, filter, limit, Optional.of(token));
  }
}
