package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A local variable that functions inside its own share. */
final class Cell {
  @Nullable Object value;

  Cell(@Nullable Object value) {
    this.value = value;
  }
}
