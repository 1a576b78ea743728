package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The expression {@code ...}: the additional arguments. */
final class Dots extends Expr {
  Dots() {
    super(0);
  }

  @Override
  @Nullable Object eval(Frame f) {
    return f.varargs.length == 0 ? null : f.varargs[0];
  }

  @Override
  @Nullable Object evalAll(Frame f) {
    return Results.of(f.varargs);
  }

  @Override
  boolean multiple() {
    return true;
  }
}
