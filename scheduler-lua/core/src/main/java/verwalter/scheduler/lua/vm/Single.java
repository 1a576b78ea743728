package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** An expression in parentheses: exactly one value. */
final class Single extends Expr {
  private final Expr inner;

  Single(Expr inner) {
    super(inner.line);
    this.inner = inner;
  }

  @Override
  @Nullable Object eval(Frame f) {
    return inner.eval(f);
  }

  @Override
  @Nullable Name name() {
    return inner.name();
  }

  @Override
  @Nullable Name operandName() {
    return inner.operandName();
  }
}
