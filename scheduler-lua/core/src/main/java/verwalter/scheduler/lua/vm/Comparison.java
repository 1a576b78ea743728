package verwalter.scheduler.lua.vm;

import verwalter.scheduler.lua.library.Name;

/** The relational operators (Lua 5.3 manual, 3.4.4). */
final class Comparison extends Binary {
  /** The operator. */
  enum Kind {
    EQ("__eq"),
    NE("__eq"),
    LT("__lt"),
    LE("__le"),
    GT("__lt"),
    GE("__le");

    final String event;

    Kind(String event) {
      this.event = event;
    }
  }

  private final Kind kind;

  Comparison(Kind kind, Expr left, Expr right, int line) {
    super(left, right, line);
    this.kind = kind;
  }

  @Override
  Name calledName() {
    return new Name("metamethod", kind.event);
  }

  @Override
  Boolean eval(Frame f) {
    return test(f);
  }

  @Override
  boolean test(Frame f) {
    var a = left.eval(f);
    var b = right.eval(f);
    if (a instanceof Long x && b instanceof Long y) {
      long p = x;
      long q = y;
      return switch (kind) {
        case EQ -> p == q;
        case NE -> p != q;
        case LT -> p < q;
        case LE -> p <= q;
        case GT -> p > q;
        case GE -> p >= q;
      };
    }
    f.at = this;
    var operations = f.machine.operations;
    return switch (kind) {
      case EQ -> operations.equal(a, b);
      case NE -> !operations.equal(a, b);
      case LT -> operations.less(a, b);
      case LE -> operations.lessOrEqual(a, b);
      case GT -> operations.less(b, a);
      case GE -> operations.lessOrEqual(b, a);
    };
  }
}
