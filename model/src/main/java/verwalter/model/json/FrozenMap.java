package verwalter.model.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A deeply immutable map, made by {@link Json#freeze}. It keeps the order of its entries and takes
 * about 8 bytes for each, since maps with equal keys share them.
 */
@SuppressWarnings({"unchecked", "NullAway"}) // the arrays hold keys and values, which may be null
final class FrozenMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {
  static final FrozenMap<?, ?> EMPTY = of(new Object[0], new Object[0]);

  private final Keys keys;
  private final @Nullable Object[] values;

  private FrozenMap(Keys keys, @Nullable Object[] values) {
    this.keys = keys;
    this.values = values;
  }

  /**
   * Creates a map with these keys.
   *
   * @param values values in the order of the keys; the caller must not use the array afterwards
   */
  static <K, V extends @Nullable Object> FrozenMap<K, V> of(
      @Nullable Object[] keys, @Nullable Object[] values) {
    return new FrozenMap<>(Keys.of(keys), values);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Entries();
  }

  @Override
  public Set<K> keySet() {
    return new KeySet();
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return keys.find(key) >= 0;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int index = keys.find(key);
    return index < 0 ? null : (V) values[index];
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    for (int i = 0; i < values.length; i++) {
      action.accept((K) keys.get(i), (V) values[i]);
    }
  }

  /** Calls {@code action} for each entry in canonical order; all keys must be texts. */
  void forEachInOrder(BiConsumer<String, @Nullable Object> action) {
    for (int index : keys.order()) {
      action.accept((String) keys.get(index), values[index]);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (other instanceof FrozenMap<?, ?> map && map.keys == keys) {
      return map == this || Arrays.equals(values, map.values);
    }
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  /**
   * A map that equals this one, made of parts of {@code earlier} as far as they are equal; {@code
   * earlier} itself if it has the same entries in the same order.
   */
  FrozenMap<?, ?> sharing(FrozenMap<?, ?> earlier) {
    boolean same = keys == earlier.keys;
    var next = new @Nullable Object[values.length];
    for (int i = 0; i < next.length; i++) {
      var before = keys == earlier.keys ? earlier.values[i] : earlier.get(keys.get(i));
      next[i] = Json.sharing(values[i], before);
      same &= next[i] == before;
    }
    return same ? earlier : new FrozenMap<>(keys, next);
  }

  private Entry<K, V> entry(int index) {
    return new SimpleImmutableEntry<>((K) keys.get(index), (V) values[index]);
  }

  private final class Entries extends AbstractSet<Entry<K, V>> {
    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new Each<>(values.length, FrozenMap.this::entry);
    }

    @Override
    public int size() {
      return values.length;
    }
  }

  private final class KeySet extends AbstractSet<K> {
    @Override
    public Iterator<K> iterator() {
      return new Each<>(values.length, index -> (K) keys.get(index));
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return containsKey(key);
    }

    @Override
    public int size() {
      return values.length;
    }
  }

  /** Gives what an array holds, one after the other. */
  private static final class Each<E> implements Iterator<E> {
    private final int size;
    private final IntFunction<E> get;
    private int next;

    private Each(int size, IntFunction<E> get) {
      this.size = size;
      this.get = get;
    }

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    public E next() {
      if (next >= size) {
        throw new NoSuchElementException();
      }
      return get.apply(next++);
    }
  }
}
