package verwalter.model;

import java.util.List;
import java.util.Optional;

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

  /** What the writer of a condition writes beside it; empty for most conditions. */
  default Optional<?> detail(ConditionType type) {
    return Optional.empty();
  }

  /** Returns a copy without any {@link #detail}. */
  default T withoutDetails() {
    return withConditions(conditions());
  }
}
