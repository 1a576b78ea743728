package verwalter.scheduler.lua.library;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.MergeSort;
import verwalter.scheduler.lua.Meter;

/**
 * Functions of the table library (Lua 5.3 manual, 6.6) over an engine's tables.
 *
 * @param <T> a table
 * @param <V> a value; nil is null
 */
public abstract class ListFunctions<T, V> {
  private static final long MOST_RESULTS = 1_000_000;

  private final Meter meter;

  /** Functions whose work is counted by a meter. */
  protected ListFunctions(Meter meter) {
    this.meter = meter;
  }

  /** The length of a list, as the operator {@code #} gives it. */
  protected abstract long length(T list);

  /** An element, with metamethods. */
  protected abstract @Nullable V get(T list, long index);

  /** Changes an element, with metamethods. */
  protected abstract void set(T list, long index, @Nullable V value);

  /** The text of a string or number; null for other values. */
  protected abstract @Nullable String textOrNull(@Nullable V value);

  /** The type of a value, as messages write it. */
  protected abstract String typeName(@Nullable V value);

  /** Whether one element sorts before another. */
  @FunctionalInterface
  protected interface Order<V> {
    /** Whether {@code a} comes before {@code b}. */
    boolean before(@Nullable V a, @Nullable V b);
  }

  /** {@code table.concat}. */
  protected final String concat(LibraryCall call, T list) {
    var separator = call.text(2, "");
    long from = call.integer(3, 1);
    long to = call.absent(4) ? length(list) : call.integer(4);
    var result = new StringBuilder();
    for (long i = from; i <= to; i++) {
      meter.tick();
      var value = get(list, i);
      var text = textOrNull(value);
      if (text == null) {
        throw call.error(
            "invalid value (%s) at index %d in table for 'concat'".formatted(typeName(value), i));
      }
      result.append(text);
      if (i == to) {
        break;
      }
      result.append(separator);
      if (result.length() > meter.budget().stringLength()) {
        throw call.error(meter.tooLong());
      }
    }
    call.reserve(result.length());
    return result.toString();
  }

  /** {@code table.insert}: puts the last argument of the call into the list. */
  protected final void insert(LibraryCall call, T list, @Nullable V last) {
    long end = length(list) + 1;
    switch (call.count()) {
      case 2 -> set(list, end, last);
      case 3 -> {
        long position = call.integer(2);
        if (position < 1 || position > end) {
          throw call.bad(2, "position out of bounds");
        }
        meter.tick(end - position);
        for (long i = end; i > position; i--) {
          set(list, i, get(list, i - 1));
        }
        set(list, position, last);
      }
      default -> throw call.error("wrong number of arguments to 'insert'");
    }
  }

  /** {@code table.remove}: the element that was removed. */
  protected final @Nullable V remove(LibraryCall call, T list) {
    long size = length(list);
    long position = call.integer(2, size);
    boolean inside = position >= 1 && position <= size + 1;
    if (call.count() > 1 && !inside && position != size) {
      throw call.bad(1, "position out of bounds");
    }
    var removed = get(list, position);
    meter.tick(Math.max(size - position, 0));
    for (; position < size; position++) {
      set(list, position, get(list, position + 1));
    }
    set(list, position, null);
    return removed;
  }

  /** {@code table.move}; the lists may be the same. */
  protected final void move(LibraryCall call, T source, T destination) {
    long from = call.integer(2);
    long to = call.integer(3);
    long target = call.integer(4);
    if (to < from) {
      return;
    }
    if (!(from > 0 || to < Long.MAX_VALUE + from)) {
      throw call.bad(3, "too many elements to move");
    }
    if (target > Long.MAX_VALUE - (to - from + 1) + 1) {
      throw call.bad(4, "destination wrap around");
    }
    boolean forward = target > to || target <= from || !source.equals(destination);
    for (long i = 0; i <= to - from; i++) {
      meter.tick();
      long offset = forward ? i : to - from - i;
      set(destination, target + offset, get(source, from + offset));
    }
  }

  /** The number of results of {@code table.unpack}; their memory is counted. */
  protected final int unpacked(LibraryCall call, long from, long to) {
    if (from > to) {
      return 0;
    }
    if (to - from >= MOST_RESULTS || to - from < 0) {
      throw call.error("too many results to unpack");
    }
    int count = (int) (to - from + 1);
    meter.tick((long) count);
    meter.allocate(8L * count);
    return count;
  }

  /**
   * {@code table.sort} of a list whose length is known.
   *
   * @param values an array of that length
   */
  protected final void sort(T list, @Nullable V[] values, Order<V> order) {
    int size = values.length;
    meter.tick((long) size);
    meter.allocate(16L * size);
    for (int i = 0; i < size; i++) {
      values[i] = get(list, i + 1);
    }
    MergeSort.<@Nullable V>sort(values, order::before, meter);
    for (int i = 0; i < size; i++) {
      set(list, i + 1, values[i]);
    }
  }

  /** The length of a list to sort; 0 if there is nothing to do. */
  protected final int sortable(LibraryCall call, T list) {
    long length = length(list);
    if (length >= Integer.MAX_VALUE) {
      throw call.bad(1, "array too big");
    }
    return length < 2 ? 0 : (int) length;
  }
}
