package verwalter.model.json;

import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A list that {@link Json#freeze} made: nobody can change it or what it holds. */
final class FrozenList<E extends @Nullable Object> extends AbstractList<E> implements RandomAccess {
  private final List<E> items;

  /** Takes the list over: the caller forgets it. */
  FrozenList(List<E> items) {
    this.items = Collections.unmodifiableList(items);
  }

  @Override
  public E get(int index) {
    return items.get(index);
  }

  @Override
  public int size() {
    return items.size();
  }
}
