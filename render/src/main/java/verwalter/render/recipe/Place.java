package verwalter.render.recipe;

import verwalter.render.RenderProblem;

/**
 * A position in a recipe.
 *
 * @param line from 1
 * @param column from 1
 */
public record Place(String file, int line, int column) {
  RenderProblem problem(String text) {
    return new RenderProblem(file, line, column, text);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
