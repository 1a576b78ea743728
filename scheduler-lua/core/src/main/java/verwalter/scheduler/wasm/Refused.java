package verwalter.scheduler.wasm;

/** A module that cannot be used; the message says what about it. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  Refused(String message) {
    super(message, null, false, false);
  }
}
