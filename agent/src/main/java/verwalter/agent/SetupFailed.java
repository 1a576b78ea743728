package verwalter.agent;

/** The agent cannot start; the message says what failed, why and what to do. */
final class SetupFailed extends Exception {
  private static final long serialVersionUID = 1;
  private final ExitCode exitCode;

  SetupFailed(ExitCode exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
