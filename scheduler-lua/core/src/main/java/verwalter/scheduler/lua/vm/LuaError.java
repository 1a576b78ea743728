package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A Lua error, thrown to the protected call that catches it. */
final class LuaError extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient @Nullable Object value;

  LuaError(@Nullable Object value) {
    super("Lua error", null, false, false);
    this.value = value;
  }

  @Nullable Object value() {
    return value;
  }
}
