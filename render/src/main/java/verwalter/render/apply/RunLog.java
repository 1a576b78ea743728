package verwalter.render.apply;

import java.util.ArrayList;
import java.util.List;
import verwalter.render.LogPiece;

/**
 * The log of one run, for people, piece by piece. Keeps the beginning of its text when that grows
 * too long; which recipes ran, and which logs they looked at, is known all the same.
 */
final class RunLog {
  private static final int LIMIT = 256 << 10;

  private final List<LogPiece> done = new ArrayList<>();
  private final List<LogPiece.ExternalLog> externalLogs = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private String recipe = "";
  private int length;
  private boolean full;

  /** What follows is what this recipe does. */
  void recipe(String file) {
    if (!file.equals(recipe)) {
      endPiece();
      recipe = file;
    }
  }

  /** A line about what the recipe does. */
  void line(String line) {
    if (full) {
      return;
    }
    int before = text.length();
    text.append(line, 0, Math.min(line.length(), LIMIT)).append('\n');
    length += text.length() - before;
    if (length > LIMIT) {
      full = true;
      text.setLength(text.length() - (length - LIMIT));
      text.append("\n... the log of this run is cut here\n");
    }
  }

  /** A line about the run as a whole, which no recipe has asked for. */
  void aside(String line) {
    recipe("");
    line(line);
  }

  /** Every line of a program's output, indented. */
  void output(String output) {
    output.lines().forEach(line -> line("  | " + line));
  }

  /** A log that the recipe has looked at. */
  void externalLog(LogPiece.ExternalLog log) {
    externalLogs.add(log);
  }

  private void endPiece() {
    if (!recipe.isEmpty() || !text.isEmpty()) {
      done.add(new LogPiece(recipe, text.toString(), externalLogs));
    }
    text.setLength(0);
    externalLogs.clear();
  }

  List<LogPiece> pieces() {
    endPiece();
    recipe = "";
    return List.copyOf(done);
  }
}
