package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A position in a program, for errors and tracebacks. */
abstract class CodePlace {
  final int line;

  CodePlace(int line) {
    this.line = line;
  }

  /** For a call, the function's name in the source, such as {@code local 'f'}. */
  @Nullable Name calledName() {
    return null;
  }
}
