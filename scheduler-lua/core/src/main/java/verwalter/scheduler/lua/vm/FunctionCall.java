package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A call of a function. */
final class FunctionCall extends CallExpression {
  private final Expr function;

  FunctionCall(Expr function, Expr[] arguments, int line) {
    super(arguments, line);
    this.function = function;
  }

  @Override
  boolean hasSelf() {
    return false;
  }

  @Override
  @Nullable Object evalAll(Frame f) {
    return call(f, function.eval(f), null);
  }

  @Override
  @Nullable Object tail(Frame f) {
    return tail(f, function.eval(f), null);
  }

  @Override
  @Nullable Name calledName() {
    return function.name();
  }
}
