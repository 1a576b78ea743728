package verwalter.scheduler.lua.vm;

/** A function expression. */
final class MakeClosure extends Expr {
  private final CompiledFunction code;

  MakeClosure(CompiledFunction code) {
    super(code.line);
    this.code = code;
  }

  @Override
  Closure eval(Frame f) {
    var upvalues = new Cell[code.captures.length];
    for (int i = 0; i < upvalues.length; i++) {
      var capture = code.captures[i];
      upvalues[i] = capture.own() ? cell(f, capture) : f.function.upvalues[capture.index()];
    }
    f.at = this;
    return new Closure(f.machine, code, upvalues);
  }

  private static Cell cell(Frame f, CompiledFunction.Capture capture) {
    if (f.slots[capture.index()] instanceof Cell cell) {
      return cell;
    }
    throw new IllegalStateException("no variable " + capture.name());
  }
}
