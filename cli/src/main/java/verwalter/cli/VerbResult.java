package verwalter.cli;

/** How a command of {@code vw} has ended. */
interface VerbResult {
  /** The exit code of the process. */
  int code();
}
