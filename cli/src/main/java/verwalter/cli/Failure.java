package verwalter.cli;

/** The failure of a command: a message, a hint on what to do next, and the exit code. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String next;
  private final Exit exit;

  private Failure(Exit exit, String problem, String next) {
    super(problem, null, false, false);
    this.next = next;
    this.exit = exit;
  }

  /** The command failed. */
  static Failure error(String problem, String next) {
    return new Failure(Exit.ERROR, problem, next);
  }

  /** The object that the command waited for failed or was not done in time. */
  static Failure waiting(Exit exit, String problem, String next) {
    return new Failure(exit, problem, next);
  }

  /** The command line is not valid. */
  static Failure usage(String problem, String next) {
    return new Failure(Exit.USAGE, problem, next);
  }

  /** What to do next; empty if there is no hint. */
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
