package verwalter.scheduler.lua;

/**
 * A run used up its budget and unwinds. An {@link Error}, so that no protected call of a Lua
 * program and no handler of an engine takes it for a failure of Lua code.
 */
public final class BudgetExceeded extends Error {
  private static final long serialVersionUID = 1;

  BudgetExceeded(String message) {
    super(message, null, false, false);
  }
}
