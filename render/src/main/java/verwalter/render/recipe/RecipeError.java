package verwalter.render.recipe;

import verwalter.render.RenderProblem;

/** One mistake in a recipe; stops the reading of what it is in. */
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
