package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A part of a program that errors and tracebacks can point at. */
abstract class CodePlace {
  final int line;

  CodePlace(int line) {
    this.line = line;
  }

  /** If this is a call: what the source calls the function, like {@code local 'f'}. */
  @Nullable Name calledName() {
    return null;
  }
}
