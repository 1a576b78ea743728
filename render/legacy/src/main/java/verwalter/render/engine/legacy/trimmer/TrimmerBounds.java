package verwalter.render.engine.legacy.trimmer;

/**
 * The limits of one rendering.
 *
 * @param output in characters
 * @param steps statements, outputs and parts of expressions that are evaluated
 * @param depth of nested statements
 * @param text longest input or output of a filter, in characters
 * @param collection longest list or map that is looped over or built
 */
public record TrimmerBounds(int output, int steps, int depth, int text, int collection) {}
