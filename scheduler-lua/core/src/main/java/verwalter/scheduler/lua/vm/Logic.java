package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The operators {@code and}, {@code or} and {@code not}. */
final class Logic {
  /** The left operand if it is false, otherwise the right one. */
  static final class And extends Binary {
    And(Expr left, Expr right, int line) {
      super(left, right, line);
    }

    @Override
    @Nullable Object eval(Frame f) {
      var value = left.eval(f);
      return Operations.truth(value) ? right.eval(f) : value;
    }

    @Override
    boolean test(Frame f) {
      return left.test(f) && right.test(f);
    }
  }

  /** The left operand if it is true, otherwise the right one. */
  static final class Or extends Binary {
    Or(Expr left, Expr right, int line) {
      super(left, right, line);
    }

    @Override
    @Nullable Object eval(Frame f) {
      var value = left.eval(f);
      return Operations.truth(value) ? value : right.eval(f);
    }

    @Override
    boolean test(Frame f) {
      return left.test(f) || right.test(f);
    }
  }

  /** Whether the operand is false. */
  static final class Not extends Expr {
    private final Expr operand;

    Not(Expr operand, int line) {
      super(line);
      this.operand = operand;
    }

    @Override
    Boolean eval(Frame f) {
      return !operand.test(f);
    }

    @Override
    boolean test(Frame f) {
      return !operand.test(f);
    }
  }

  private Logic() {}
}
