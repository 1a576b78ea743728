package verwalter.supervisor.program;

/** Text of POSIX shells. */
public final class ShellText {
  /** A word that the shell reads as this text, whatever characters it has. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private ShellText() {}
}
