package verwalter.render.engine.legacy.tera;

/**
 * What one rendering may cost.
 *
 * @param output of one template, in characters
 * @param steps nodes, turns of loops, and work on long texts and lists
 * @param depth of inclusions, macros and blocks
 * @param text longest text that an expression may build, in characters
 * @param collection longest list or map that is looped over or built
 * @param range longest list that counting may build
 */
public record Bounds(int output, int steps, int depth, int text, int collection, int range) {}
