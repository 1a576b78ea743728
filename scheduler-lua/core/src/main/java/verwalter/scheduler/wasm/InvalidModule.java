package verwalter.scheduler.wasm;

/** A module that cannot be loaded; the message says why. */
final class InvalidModule extends Exception {
  private static final long serialVersionUID = 1;

  InvalidModule(String message) {
    super(message, null, false, false);
  }
}
