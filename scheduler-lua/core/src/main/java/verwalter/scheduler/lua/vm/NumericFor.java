package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** {@code for i = first, limit, step}. */
final class NumericFor extends Stat {
  private final Variable variable;
  private final Expr first;
  private final Expr limit;
  private final @Nullable Expr step;
  private final Block body;

  NumericFor(Variable variable, Expr first, Expr limit, @Nullable Expr step, Block body, int line) {
    super(line);
    this.variable = variable;
    this.first = first;
    this.limit = limit;
    this.step = step;
    this.body = body;
  }

  @Override
  @Nullable Signal exec(Frame f) {
    var start = first.eval(f);
    var end = limit.eval(f);
    var stride = step == null ? (Object) 1L : step.eval(f);
    f.at = this;
    var last = number(f, end, "limit");
    var by = number(f, stride, "step");
    var from = number(f, start, "initial value");
    return start instanceof Long a && stride instanceof Long b
        ? integers(f, a, last, b)
        : floats(f, from.doubleValue(), last.doubleValue(), by.doubleValue());
  }

  private static Number number(Frame f, @Nullable Object value, String what) {
    var number = Operations.number(value);
    if (number == null) {
      throw f.machine.fault("'for' " + what + " must be a number");
    }
    return number;
  }

  private @Nullable Signal integers(Frame f, long from, Number last, long by) {
    if (last instanceof Double end && Double.isNaN(end)) {
      return null;
    }
    long end =
        last instanceof Long whole
            ? whole
            : (long) (by <= 0 ? Math.ceil(last.doubleValue()) : Math.floor(last.doubleValue()));
    if (last instanceof Double limit
        && ((by > 0 && limit < -0x1p63) || (by <= 0 && limit >= 0x1p63))) {
      return null;
    }
    for (long i = from; by > 0 ? i <= end : i >= end; i += by) {
      var signal = turn(f, i);
      if (signal != null) {
        return signal == Signal.BREAK ? null : signal;
      }
      if (by > 0 ? i > end - by && end - by <= end : i < end - by && end - by >= end) {
        return null; // the next value is beyond the limit, and may overflow
      }
    }
    return null;
  }

  private @Nullable Signal floats(Frame f, double from, double last, double by) {
    for (double i = from; by > 0 ? i <= last : i >= last; i += by) {
      var signal = turn(f, i);
      if (signal != null) {
        return signal == Signal.BREAK ? null : signal;
      }
    }
    return null;
  }

  private @Nullable Signal turn(Frame f, Object value) {
    f.at = this;
    f.machine.meter.tick();
    variable.declare(f, value);
    return body.exec(f);
  }
}
