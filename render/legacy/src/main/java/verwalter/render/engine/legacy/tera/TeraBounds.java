package verwalter.render.engine.legacy.tera;

/**
 * The limits of one rendering.
 *
 * @param output of one template, in characters
 * @param steps nodes, iterations of loops, and work on long texts and lists
 * @param depth of inclusions, macros and blocks
 * @param text longest text that an expression may build, in characters
 * @param collection longest list or map that is looped over or built
 * @param range longest list that {@code range} may build
 */
public record TeraBounds(int output, int steps, int depth, int text, int collection, int range) {}
