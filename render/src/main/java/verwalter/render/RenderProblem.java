package verwalter.render;

/**
 * One error in a template or a recipe.
 *
 * @param file relative to the template directory
 * @param line from 1; 0 for the whole file
 * @param column from 1; 0 for the whole line
 */
public record RenderProblem(String file, int line, int column, String text) {

  public static RenderProblem of(String file, String text) {
    return new RenderProblem(file, 0, 0, text);
  }

  /** {@code file:line:column: text}, the format of compilers. */
  @Override
  public String toString() {
    var at = line == 0 ? "" : column == 0 ? ":" + line : ":" + line + ":" + column;
    return file + at + ": " + text;
  }
}
