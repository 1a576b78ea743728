package verwalter.scheduler.lua;

import org.jspecify.annotations.Nullable;

/**
 * The stable sort of {@code table.sort}. An inconsistent order function gives an unspecified order,
 * and no error.
 */
public final class MergeSort {
  /** Whether one value comes before another. */
  @FunctionalInterface
  public interface Order<V extends @Nullable Object> {
    boolean before(V a, V b);
  }

  /** Sorts the values; each step costs an instruction of the meter. */
  public static <V extends @Nullable Object> void sort(V[] values, Order<V> order, Meter meter) {
    sort(values.clone(), values, 0, values.length, order, meter);
  }

  /** Sorts a range of {@code to}; {@code from} holds the same values and is overwritten. */
  private static <V extends @Nullable Object> void sort(
      V[] from, V[] to, int start, int end, Order<V> order, Meter meter) {
    if (end - start < 2) {
      return;
    }
    int middle = (start + end) >>> 1;
    sort(to, from, start, middle, order, meter);
    sort(to, from, middle, end, order, meter);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      meter.tick();
      boolean takeRight = right < end && (left >= middle || order.before(from[right], from[left]));
      to[i] = takeRight ? from[right++] : from[left++];
    }
  }

  private MergeSort() {}
}
