package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A call of a function or of a method. */
abstract class CallExpression extends Expr {
  private final Expr[] arguments;
  private final boolean fixed;

  CallExpression(Expr[] arguments, int line) {
    super(line);
    this.arguments = arguments;
    this.fixed = arguments.length == 0 || !arguments[arguments.length - 1].multiple();
  }

  /** The object before the arguments, for methods. */
  abstract boolean hasSelf();

  @Override
  final @Nullable Object eval(Frame f) {
    return Results.first(evalAll(f));
  }

  @Override
  final boolean multiple() {
    return true;
  }

  /** Calls a function, with the object before the arguments if this is a method call. */
  final @Nullable Object call(Frame f, @Nullable Object function, @Nullable Object self) {
    if (fixed && function instanceof Closure closure && !closure.code.variadic) {
      var slots = slots(f, closure.code, self);
      f.at = this;
      return f.machine.finish(closure.run(slots, Results.NONE, false));
    }
    var args = arguments(f, self);
    f.at = this;
    if (function instanceof Function direct) {
      return direct.call(args);
    }
    return callable(f, function).call(VmState.shifted(function, args));
  }

  /** The arguments, in the slots of the called function's parameters. */
  private @Nullable Object[] slots(Frame f, CompiledFunction code, @Nullable Object self) {
    var slots = new @Nullable Object[code.slots];
    int at = 0;
    if (hasSelf() && code.parameters > 0) {
      slots[at++] = self;
    } else if (hasSelf()) {
      at++;
    }
    for (var argument : arguments) {
      var value = argument.eval(f);
      if (at < code.parameters) {
        slots[at] = value;
      }
      at++;
    }
    return slots;
  }

  final @Nullable Object[] arguments(Frame f, @Nullable Object self) {
    var args = list(arguments, f);
    return hasSelf() ? VmState.shifted(self, args) : args;
  }

  /** The metamethod of a value that is not a function, with the value before the arguments. */
  private Function callable(Frame f, @Nullable Object value) {
    if (f.machine.operations.metamethod(value, "__call") instanceof Function function) {
      return function;
    }
    throw f.machine.operations.attempt("call", value, calledName());
  }

  /** The call as a tail call. */
  abstract @Nullable Object tail(Frame f);

  final @Nullable Object tail(Frame f, @Nullable Object function, @Nullable Object self) {
    if (!(function instanceof Closure closure)) {
      return call(f, function, self);
    }
    var args = arguments(f, self);
    f.at = this;
    return new TailCall(closure, args);
  }
}
