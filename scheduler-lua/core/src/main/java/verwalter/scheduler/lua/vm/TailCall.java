package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The tail call at the end of a function, which the function's caller makes. */
final class TailCall {
  final Closure function;
  final @Nullable Object[] arguments;

  TailCall(Closure function, @Nullable Object[] arguments) {
    this.function = function;
    this.arguments = arguments;
  }
}
