package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** The bitwise operators (Lua 5.3 manual, 3.4.2). */
final class Bitwise extends Binary {
  /** The operator; {@code NOT} ignores the second operand. */
  enum Kind {
    AND("__band"),
    OR("__bor"),
    XOR("__bxor"),
    SHL("__shl"),
    SHR("__shr"),
    NOT("__bnot");

    final String event;

    Kind(String event) {
      this.event = event;
    }

    long apply(long a, long b) {
      return switch (this) {
        case AND -> a & b;
        case OR -> a | b;
        case XOR -> a ^ b;
        case SHL -> shift(a, b);
        case SHR -> b == Long.MIN_VALUE ? 0 : shift(a, -b);
        case NOT -> ~a;
      };
    }

    private static long shift(long value, long left) {
      if (left <= -64 || left >= 64) {
        return 0;
      }
      return left >= 0 ? value << left : value >>> -left;
    }
  }

  private final Kind kind;

  Bitwise(Kind kind, Expr left, Expr right, int line) {
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
    f.at = this;
    return f.machine.operations.bitwise(kind, a, b, left.operandName(), right.operandName());
  }
}
