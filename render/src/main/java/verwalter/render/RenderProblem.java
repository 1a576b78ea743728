package verwalter.render;

/**
 * One thing that is wrong with a template or a recipe.
 *
 * @param file relative to the template directory
 * @param line from 1; 0 when the whole file is meant
 * @param column from 1; 0 when the whole line is meant
 */
public record RenderProblem(String file, int line, int column, String text) {

  public static RenderProblem of(String file, String text) {
    return new RenderProblem(file, 0, 0, text);
  }

  /** {@code file:line:column: text}, as compilers write it. */
  @Override
  public String toString() {
    var at = line == 0 ? "" : column == 0 ? ":" + line : ":" + line + ":" + column;
    return file + at + ": " + text;
  }
}
