package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A local variable that nested functions share. */
final class Cell {
  @Nullable Object value;

  Cell(@Nullable Object value) {
    this.value = value;
  }
}
