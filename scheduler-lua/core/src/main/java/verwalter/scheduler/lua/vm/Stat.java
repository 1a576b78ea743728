package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A compiled statement. */
abstract class Stat extends CodePlace {
  Stat(int line) {
    super(line);
  }

  /** Runs it; null if execution continues with the next statement. */
  abstract @Nullable Signal exec(Frame f);
}
