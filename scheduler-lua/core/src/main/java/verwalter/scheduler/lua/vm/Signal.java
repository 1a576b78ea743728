package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** Why a block ended early. */
final class Signal {
  static final Signal BREAK = new Signal(null);

  /** The function ends; its values are in the frame. */
  static final Signal RETURN = new Signal(null);

  /** The label that a goto looks for; null if it is no goto. */
  final @Nullable String label;

  Signal(@Nullable String label) {
    this.label = label;
  }
}
