package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A Lua value that can be called. */
abstract class Function {
  /** Calls it; see {@link Results} for what comes back. */
  abstract @Nullable Object call(@Nullable Object[] args);
}
