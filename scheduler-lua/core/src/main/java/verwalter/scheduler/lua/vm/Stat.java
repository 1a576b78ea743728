package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A statement ready to run. */
abstract class Stat extends CodePlace {
  Stat(int line) {
    super(line);
  }

  /** Runs it; null if the next statement follows. */
  abstract @Nullable Signal exec(Frame f);
}
