package verwalter.render.apply;

import java.util.ArrayList;
import java.util.List;
import verwalter.render.LogPiece;

/**
 * The log of one run, for people, in pieces. Text over the limit is dropped, but the pieces still
 * name all recipes and the logs that they refer to.
 */
final class RunLog {
  private static final int LIMIT = 256 << 10;

  private final List<LogPiece> done = new ArrayList<>();
  private final List<LogPiece.ExternalLog> externalLogs = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private String recipe = "";
  private int length;
  private boolean full;

  /** Begins the piece of a recipe. */
  void recipe(String file) {
    if (!file.equals(recipe)) {
      endPiece();
      recipe = file;
    }
  }

  /** Adds a line about the recipe. */
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

  /** Adds a line about the run itself. */
  void aside(String line) {
    recipe("");
    line(line);
  }

  /** Adds every line of a program's output, indented. */
  void output(String output) {
    output.lines().forEach(line -> line("  | " + line));
  }

  /** Adds the position of a log that the recipe names. */
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
