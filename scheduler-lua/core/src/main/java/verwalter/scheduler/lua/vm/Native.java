package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Pattern;

/** A library function. */
final class Native extends Function {
  /** The implementation of a library function. */
  @FunctionalInterface
  interface Body {
    @Nullable Object call(Args args);
  }

  private final VmState machine;
  private final String label;
  private final Body body;

  Native(VmState machine, String label, Body body) {
    this.machine = machine;
    this.label = label;
    this.body = body;
  }

  @Override
  @Nullable Object call(@Nullable Object[] args) {
    int depth = machine.enter(this);
    try {
      var values = body.call(new Args(machine, label, args));
      machine.leave(depth);
      return values;
    } catch (Pattern.Malformed | Format.Invalid refused) {
      throw machine.error(String.valueOf(refused.getMessage()));
    }
  }

  /** Its name in messages and tracebacks. */
  String label() {
    return label;
  }
}
