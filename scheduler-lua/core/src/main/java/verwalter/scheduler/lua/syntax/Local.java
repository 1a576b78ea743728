package verwalter.scheduler.lua.syntax;

/** One local variable or parameter. */
public final class Local {
  private final String name;
  private final int function;
  private boolean captured;

  Local(String name, int function) {
    this.name = name;
    this.function = function;
  }

  /** Its name in the source. */
  public String name() {
    return name;
  }

  /** The number of its function; see {@link FunctionBody#number}. */
  public int function() {
    return function;
  }

  /** Whether a nested function uses it. Known after the chunk is parsed. */
  public boolean captured() {
    return captured;
  }

  void capture() {
    captured = true;
  }
}
