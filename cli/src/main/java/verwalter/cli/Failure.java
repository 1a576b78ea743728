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

  /** A failure of the command. */
  static Failure error(String problem, String next) {
    return new Failure(Exit.ERROR, problem, next);
  }

  /** A failure of something that the command waited for. */
  static Failure waiting(Exit exit, String problem, String next) {
    return new Failure(exit, problem, next);
  }

  /** A command line that is not valid. */
  static Failure usage(String problem, String next) {
    return new Failure(Exit.USAGE, problem, next);
  }

  /** What to type next; empty if there is no hint. */
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
