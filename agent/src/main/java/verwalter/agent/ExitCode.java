package verwalter.agent;

/** The exit codes of the agent; {@code --help} lists them. */
enum ExitCode {
  /** It ended after a signal or a command that only prints. */
  OK(0),
  /** An unexpected error. */
  UNEXPECTED(1),
  /** The command line is invalid. */
  USAGE(2),
  /**
   * The setup failed: machine id, directories, a store that is in use or corrupt, or a machine that
   * was removed from its cluster.
   */
  SETUP(3),
  /** Its HTTP address cannot be bound. */
  BIND(81),
  /** An operation is stuck, and a restart is required. */
  STUCK(91);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
