package verwalter.render.engine.legacy.trimmer;

/**
 * One error in a template.
 *
 * @param line from 1
 * @param column from 1, in UTF-16 units
 */
public record TrimmerError(int line, int column, String text) {}
