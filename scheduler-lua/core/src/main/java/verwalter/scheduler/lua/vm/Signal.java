package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The reason why a block ended early. */
final class Signal {
  static final Signal BREAK = new Signal(null);

  /** The function returns; its values are in the frame. */
  static final Signal RETURN = new Signal(null);

  /** The label of a goto; null if it is not a goto. */
  final @Nullable String label;

  Signal(@Nullable String label) {
    this.label = label;
  }
}
