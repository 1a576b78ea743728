package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Any number of values: an {@code Object[]}, or the value itself if it is exactly one. */
final class Results {
  static final @Nullable Object[] NONE = {};

  static @Nullable Object first(@Nullable Object values) {
    if (values instanceof Object[] many) {
      return many.length == 0 ? null : many[0];
    }
    return values;
  }

  static @Nullable Object[] all(@Nullable Object values) {
    return values instanceof Object[] many ? many : new @Nullable Object[] {values};
  }

  static @Nullable Object get(@Nullable Object values, int index) {
    if (values instanceof Object[] many) {
      return index < many.length ? many[index] : null;
    }
    return index == 0 ? values : null;
  }

  static @Nullable Object of(@Nullable Object... values) {
    return values.length == 1 ? values[0] : values;
  }

  static @Nullable Object from(@Nullable Object[] values, int index) {
    if (index >= values.length) {
      return NONE;
    }
    return of(Arrays.copyOfRange(values, index, values.length));
  }

  private Results() {}
}
