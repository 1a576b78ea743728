package verwalter.model;

import java.util.List;

/**
 * A status with conditions of which some have another writer than the rest of the status.
 *
 * @param <T> the status itself
 */
public interface Conditioned<T> {
  /** All conditions. */
  List<Condition> conditions();

  /** The same status with these conditions. */
  T withConditions(List<Condition> conditions);
}
