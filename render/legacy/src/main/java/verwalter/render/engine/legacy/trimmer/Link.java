package verwalter.render.engine.legacy.trimmer;

/**
 * A sign and what stands behind it.
 *
 * @param at where the sign is
 */
record Link(String sign, int at, Expression right) {}
