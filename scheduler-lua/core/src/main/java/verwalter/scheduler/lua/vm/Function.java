package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A Lua value that can be called. */
abstract class Function {
  /** Calls the function; see {@link Values} for the result. */
  abstract @Nullable Object call(@Nullable Object[] args);
}
