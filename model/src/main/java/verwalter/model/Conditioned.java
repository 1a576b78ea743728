package verwalter.model;

import java.util.List;

/**
 * A status in which some conditions have another writer than the other fields.
 *
 * @param <T> the status itself
 */
public interface Conditioned<T> {
  /** All conditions. */
  List<Condition> conditions();

  /** Returns a copy with these conditions. */
  T withConditions(List<Condition> conditions);
}
