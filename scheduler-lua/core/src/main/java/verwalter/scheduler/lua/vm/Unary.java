package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** The unary operators {@code -}, {@code #} and {@code ~}. */
final class Unary {
  /** Arithmetic negation. */
  static final class Minus extends Expr {
    private final Expr operand;

    Minus(Expr operand, int line) {
      super(line);
      this.operand = operand;
    }

    @Override
    Name calledName() {
      return new Name("metamethod", "__unm");
    }

    @Override
    @Nullable Object eval(Frame f) {
      var value = operand.eval(f);
      f.at = this;
      return f.machine.operations.negate(value, operand.name());
    }
  }

  /** Length. */
  static final class Length extends Expr {
    private final Expr operand;

    Length(Expr operand, int line) {
      super(line);
      this.operand = operand;
    }

    @Override
    Name calledName() {
      return new Name("metamethod", "__len");
    }

    @Override
    @Nullable Object eval(Frame f) {
      var value = operand.eval(f);
      if (value instanceof Table table && table.metatable == null) {
        return table.length();
      }
      f.at = this;
      return f.machine.operations.length(value, operand.name());
    }
  }

  /** Bitwise negation. */
  static final class Complement extends Expr {
    private final Expr operand;

    Complement(Expr operand, int line) {
      super(line);
      this.operand = operand;
    }

    @Override
    Name calledName() {
      return new Name("metamethod", "__bnot");
    }

    @Override
    @Nullable Object eval(Frame f) {
      var value = operand.eval(f);
      f.at = this;
      var name = operand.name();
      return f.machine.operations.bitwise(Bitwise.Kind.NOT, value, value, name, name);
    }
  }

  private Unary() {}
}
