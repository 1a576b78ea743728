package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A compiled expression. */
abstract class Expr extends CodePlace {
  Expr(int line) {
    super(line);
  }

  /** Its value, or the first of its values. */
  abstract @Nullable Object eval(Frame f);

  /** Whether its value is true. */
  boolean test(Frame f) {
    return Operations.truth(eval(f));
  }

  /** All its values; see {@link Results}. */
  @Nullable Object evalAll(Frame f) {
    return eval(f);
  }

  /** Whether {@link #evalAll} may return any number of values. */
  boolean multiple() {
    return false;
  }

  /** The value's name in the source, for messages; null if it has none. */
  @Nullable Name name() {
    return null;
  }

  /**
   * The name as an operand of arithmetic; null for constants, since messages show their position.
   */
  @Nullable Name operandName() {
    return name();
  }

  /** The values of a list, whose last expression may return any number. */
  static @Nullable Object[] list(Expr[] list, Frame f) {
    int count = list.length;
    if (count > 0 && list[count - 1].multiple()) {
      var head = new @Nullable Object[count - 1];
      for (int i = 0; i < count - 1; i++) {
        head[i] = list[i].eval(f);
      }
      return join(head, list[count - 1].evalAll(f), f);
    }
    var values = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = list[i].eval(f);
    }
    return values;
  }

  static @Nullable Object[] join(@Nullable Object[] head, @Nullable Object last, Frame f) {
    var tail = Results.all(last);
    if (head.length == 0) {
      return tail;
    }
    int count = head.length + tail.length;
    f.machine.meter.allocate(8L * count);
    f.machine.meter.tick((long) count >> 4);
    var joined = new @Nullable Object[count];
    System.arraycopy(head, 0, joined, 0, head.length);
    System.arraycopy(tail, 0, joined, head.length, tail.length);
    return joined;
  }
}
