package verwalter.supervisor.lithos;

/**
 * One error in a configuration file.
 *
 * @param line from 1
 * @param column from 1
 */
public record ConfigProblem(String source, int line, int column, String text) {
  @Override
  public String toString() {
    return source + ":" + line + ":" + column + ": " + text;
  }
}
