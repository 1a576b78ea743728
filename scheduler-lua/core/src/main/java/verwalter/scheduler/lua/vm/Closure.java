package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A Lua function with its upvalues. */
final class Closure extends Function {
  private static final int BYTES = 48;

  final VmState machine;
  final CompiledFunction code;
  final Cell[] upvalues;
  private final @Nullable Object environment;

  Closure(VmState machine, CompiledFunction code, Cell[] upvalues) {
    this(machine, code, upvalues, null);
  }

  /** A chunk, whose first slot is its environment. */
  Closure(VmState machine, CompiledFunction code, Cell[] upvalues, @Nullable Object environment) {
    this.machine = machine;
    this.code = code;
    this.upvalues = upvalues;
    this.environment = environment;
    machine.meter.allocate(BYTES + 8L * upvalues.length);
  }

  @Override
  @Nullable Object call(@Nullable Object[] args) {
    return machine.finish(begin(args, false));
  }

  /**
   * Calls the function, and leaves a tail call at its end to the caller.
   *
   * @param tail whether this is a tail call itself
   */
  @Nullable Object begin(@Nullable Object[] args, boolean tail) {
    var slots = new @Nullable Object[code.slots];
    if (code.chunk) {
      slots[0] = environment;
      return run(slots, args, tail);
    }
    System.arraycopy(args, 0, slots, 0, Math.min(args.length, code.parameters));
    return run(slots, code.variadic ? rest(args) : Results.NONE, tail);
  }

  private @Nullable Object[] rest(@Nullable Object[] args) {
    int count = args.length - code.parameters;
    if (count <= 0) {
      return Results.NONE;
    }
    machine.meter.allocate(8L * count);
    var rest = new @Nullable Object[count];
    System.arraycopy(args, code.parameters, rest, 0, count);
    return rest;
  }

  /**
   * Runs the body.
   *
   * @param slots the slots of the frame, with the arguments in the first ones
   * @param tail whether the caller's frame was replaced
   */
  @Nullable Object run(@Nullable Object[] slots, @Nullable Object[] varargs, boolean tail) {
    var frame = new Frame(this, slots, varargs, tail);
    int depth = machine.enter(frame);
    for (int captured : code.captured) {
      slots[captured] = new Cell(slots[captured]);
    }
    var signal = code.body.exec(frame);
    machine.leave(depth);
    return signal == null ? Results.NONE : frame.result;
  }
}
