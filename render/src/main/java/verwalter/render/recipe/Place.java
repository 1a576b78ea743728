package verwalter.render.recipe;

import verwalter.render.Problem;

/**
 * Where in a recipe something is written.
 *
 * @param line from 1
 * @param column from 1
 */
public record Place(String file, int line, int column) {
  Problem problem(String text) {
    return new Problem(file, line, column, text);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
