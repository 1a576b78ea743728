package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** The arithmetic operators (Lua 5.3 manual, 3.4.1). */
final class Arithmetic extends Binary {
  /** The operator. */
  enum Kind {
    ADD("__add"),
    SUB("__sub"),
    MUL("__mul"),
    DIV("__div"),
    MOD("__mod"),
    POW("__pow"),
    IDIV("__idiv");

    final String event;

    Kind(String event) {
      this.event = event;
    }

    /** Throws an error for an integer division by zero. */
    void check(VmState machine, long divisor) {
      if (divisor == 0 && this == IDIV) {
        throw machine.fault("attempt to divide by zero");
      }
      if (divisor == 0 && this == MOD) {
        throw machine.fault("attempt to perform 'n%0'");
      }
    }

    /** The result for two integers: an integer, except for division and powers. */
    Object integers(long a, long b) {
      return switch (this) {
        case ADD -> a + b;
        case SUB -> a - b;
        case MUL -> a * b;
        case IDIV -> Math.floorDiv(a, b);
        case MOD -> Math.floorMod(a, b);
        default -> floats((double) a, (double) b);
      };
    }

    double floats(double a, double b) {
      double result = real(a, b);
      return Double.isNaN(result) ? NumberOrder.nan(a, b) : result;
    }

    private double real(double a, double b) {
      return switch (this) {
        case ADD -> a + b;
        case SUB -> a - b;
        case MUL -> a * b;
        case DIV -> a / b;
        case POW -> b == 2 ? a * a : power(a, b);
        case IDIV -> Math.floor(a / b);
        case MOD -> remainder(a, b);
      };
    }

    /** The semantics of C: one to any power, and minus one to an infinite one, is one. */
    private static double power(double a, double b) {
      return a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
    }

    private static double remainder(double a, double b) {
      double rest = a % b;
      return rest * b < 0 ? rest + b : rest;
    }
  }

  private final Kind kind;

  Arithmetic(Kind kind, Expr left, Expr right, int line) {
    super(left, right, line);
    this.kind = kind;
  }

  @Override
  Name calledName() {
    return new Name("metamethod", kind.event);
  }

  @Override
  @Nullable Object eval(Frame f) {
    var a = left.eval(f);
    var b = right.eval(f);
    if (a instanceof Long x && b instanceof Long y) {
      switch (kind) {
        case ADD -> {
          return x + y;
        }
        case SUB -> {
          return x - y;
        }
        case MUL -> {
          return x * y;
        }
        default -> {
          f.at = this;
          kind.check(f.machine, y);
          return kind.integers(x, y);
        }
      }
    }
    if (a instanceof Number x && b instanceof Number y) {
      return kind.floats(x.doubleValue(), y.doubleValue());
    }
    f.at = this;
    return f.machine.operations.arithmetic(kind, a, b, this);
  }
}
