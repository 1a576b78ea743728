package verwalter.scheduler.lua.syntax;

/** A source text is not valid Lua; the message is {@code file:line: problem near 'token'}. */
public final class SyntaxError extends Exception {
  private static final long serialVersionUID = 1;

  /** An error; the message names file and line. */
  public SyntaxError(String message) {
    super(message, null, false, false);
  }
}
