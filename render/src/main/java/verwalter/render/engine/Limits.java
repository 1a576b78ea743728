package verwalter.render.engine;

/**
 * The limits of one rendering. On by default; a template that needs more is usually wrong.
 *
 * @param fileSize of one template or recipe, in bytes
 * @param files in one template directory
 * @param output of one template, in characters
 * @param steps while one template renders: nodes, weighted by depth, and iterations of loops
 * @param depth of inclusions, macros and blocks
 * @param text longest text that an expression may build, in characters
 * @param collection longest list or map of variables, or that a template may build
 * @param range longest list that {@code range} may build
 */
public record Limits(
    int fileSize,
    int files,
    int output,
    int steps,
    int depth,
    int text,
    int collection,
    int range) {
  public static final Limits DEFAULT =
      new Limits(1 << 20, 1000, 4 << 20, 1_000_000, 20, 1 << 19, 100_000, 100_000);
}
