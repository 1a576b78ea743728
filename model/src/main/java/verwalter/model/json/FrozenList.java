package verwalter.model.json;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A deeply immutable list, made by {@link Json#freeze}. */
final class FrozenList<E extends @Nullable Object> extends AbstractList<E> implements RandomAccess {
  private final @Nullable Object[] items;

  /** Takes ownership of the array: the caller must not use it afterwards. */
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

  /**
   * A list that equals this one, made of parts of {@code earlier} as far as they are equal; {@code
   * earlier} itself if it has the same items.
   */
  FrozenList<?> sharing(FrozenList<?> earlier) {
    boolean same = items.length == earlier.items.length;
    var next = new @Nullable Object[items.length];
    for (int i = 0; i < next.length; i++) {
      var before = i < earlier.items.length ? earlier.items[i] : null;
      next[i] = Json.sharing(items[i], before);
      same &= next[i] == before;
    }
    return same ? earlier : new FrozenList<>(next);
  }
}
