package verwalter.scheduler.lua.vm;

/** What all closures of one function in the source have in common. Filled once, by the compiler. */
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
   * Where a closure being made finds a variable.
   *
   * @param own whether it is a slot of the function that makes the closure, and not an upvalue of
   *     it
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
