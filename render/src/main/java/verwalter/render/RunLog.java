package verwalter.render;

/** The log of one run, for people. Keeps its beginning when it grows too long. */
final class RunLog {
  private static final int LIMIT = 256 << 10;

  private final StringBuilder text = new StringBuilder();
  private boolean full;

  void line(String line) {
    if (full) {
      return;
    }
    text.append(line, 0, Math.min(line.length(), LIMIT)).append('\n');
    if (text.length() > LIMIT) {
      full = true;
      text.setLength(LIMIT);
      text.append("\n... the log of this run is cut here\n");
    }
  }

  /** Every line of a program's output, indented. */
  void output(String output) {
    output.lines().forEach(line -> line("  | " + line));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
