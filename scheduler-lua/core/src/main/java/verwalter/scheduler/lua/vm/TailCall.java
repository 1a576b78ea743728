package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The call that a function ended with. The caller of the function makes it. */
final class TailCall {
  final Closure function;
  final @Nullable Object[] arguments;

  TailCall(Closure function, @Nullable Object[] arguments) {
    this.function = function;
    this.arguments = arguments;
  }
}
