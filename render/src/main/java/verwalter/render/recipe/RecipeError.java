package verwalter.render.recipe;

import verwalter.render.RenderProblem;

/** One error in a recipe; ends the parsing of the enclosing value. */
final class RecipeError extends Exception {
  private static final long serialVersionUID = 1;

  private final transient RenderProblem problem;

  RecipeError(Place place, String text) {
    super(text, null, false, false);
    problem = place.problem(text);
  }

  RenderProblem problem() {
    return problem;
  }
}
