package verwalter.scheduler.lua.vm;

/** The code that all closures of one function share. The compiler fills it once. */
final class CompiledFunction {
  final String chunkName;
  final boolean chunk;
  final int line;
  final int lastLine;
  final int parameters;
  final boolean variadic;
  final Block body;
  final int slots;
  final int[] captured;
  final Capture[] captures;

  /**
   * The source of an upvalue when a closure is made.
   *
   * @param own whether it is a slot of the enclosing function, and not an upvalue of it
   */
  record Capture(boolean own, int index, String name) {}

  CompiledFunction(
      String chunkName,
      int line,
      int lastLine,
      int parameters,
      boolean variadic,
      Block body,
      int slots,
      int[] captured,
      Capture[] captures) {
    this.chunkName = chunkName;
    this.chunk = line == 0;
    this.line = line;
    this.lastLine = lastLine;
    this.parameters = parameters;
    this.variadic = variadic;
    this.body = body;
    this.slots = slots;
    this.captured = captured;
    this.captures = captures;
  }
}
