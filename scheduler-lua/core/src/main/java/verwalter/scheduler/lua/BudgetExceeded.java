package verwalter.scheduler.lua;

/**
 * A run exceeded its budget. An {@link Error}, so that neither a protected call of a Lua program
 * nor a handler of an engine treats it as a Lua error.
 */
public final class BudgetExceeded extends Error {
  private static final long serialVersionUID = 1;

  BudgetExceeded(String message) {
    super(message, null, false, false);
  }
}
