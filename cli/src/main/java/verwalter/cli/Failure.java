package verwalter.cli;

/** What ends a command: a text for the operator, what to try next, and the exit code. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String next;
  private final Exit exit;

  private Failure(Exit exit, String problem, String next) {
    super(problem, null, false, false);
    this.next = next;
    this.exit = exit;
  }

  /** Something did not work. */
  static Failure error(String problem, String next) {
    return new Failure(Exit.ERROR, problem, next);
  }

  /** What was waited for did not come. */
  static Failure waiting(Exit exit, String problem, String next) {
    return new Failure(exit, problem, next);
  }

  /** The command line makes no sense. */
  static Failure usage(String problem, String next) {
    return new Failure(Exit.USAGE, problem, next);
  }

  /** What to type next; empty when there is nothing to say. */
  String next() {
    return next;
  }

  Exit exit() {
    return exit;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
