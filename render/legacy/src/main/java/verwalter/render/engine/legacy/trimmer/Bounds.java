package verwalter.render.engine.legacy.trimmer;

/**
 * What one rendering may cost.
 *
 * @param output in characters
 * @param steps statements, outputs and parts of expressions that are worked through
 * @param depth of statements inside one another
 * @param text longest text that a filter may take or give, in characters
 * @param collection longest list or map that is looped over or built
 */
public record Bounds(int output, int steps, int depth, int text, int collection) {}
