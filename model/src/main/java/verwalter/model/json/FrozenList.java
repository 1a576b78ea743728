package verwalter.model.json;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A list that {@link Json#freeze} made: nobody can change it or what it holds. */
final class FrozenList<E extends @Nullable Object> extends AbstractList<E> implements RandomAccess {
  private final @Nullable Object[] items;

  /** Takes the array over: the caller forgets it. */
  FrozenList(@Nullable Object[] items) {
    this.items = items;
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the array holds items, which may be null
  public E get(int index) {
    return (E) items[index];
  }

  @Override
  public int size() {
    return items.length;
  }
}
