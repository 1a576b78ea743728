package verwalter.agent;

/** The exit codes of the agent; {@code --help} lists them. */
enum ExitCode {
  /** It was asked to end, or only to print something. */
  OK(0),
  /** It failed in a way nobody foresaw. */
  UNEXPECTED(1),
  /** The command line cannot be understood. */
  USAGE(2),
  /** It could not be set up: machine id, directories, store in use or corrupt. */
  SETUP(3),
  /** Its HTTP address cannot be bound. */
  BIND(81),
  /** Something took so long that only a new start helps. */
  STUCK(91);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
