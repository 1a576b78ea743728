package verwalter.scheduler.lua.syntax;

/** A source text that is no Lua; the message is {@code file:line: problem near 'token'}. */
public final class SyntaxError extends Exception {
  private static final long serialVersionUID = 1;

  /** A problem; the message names file and line. */
  public SyntaxError(String message) {
    super(message, null, false, false);
  }
}
