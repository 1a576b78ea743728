package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A value written in the source. */
final class Constant extends Expr {
  final @Nullable Object value;

  Constant(@Nullable Object value) {
    super(0);
    this.value = value;
  }

  @Override
  @Nullable Object eval(Frame f) {
    return value;
  }

  @Override
  @Nullable Name name() {
    return value instanceof String text ? new Name("constant", text.split("\0", 2)[0]) : null;
  }

  @Override
  @Nullable Name operandName() {
    return null;
  }
}
