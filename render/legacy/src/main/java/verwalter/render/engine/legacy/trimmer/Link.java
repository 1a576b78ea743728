package verwalter.render.engine.legacy.trimmer;

/**
 * An operator and its right operand.
 *
 * @param at the position of the operator
 */
record Link(String sign, int at, TrimmerExpression right) {}
