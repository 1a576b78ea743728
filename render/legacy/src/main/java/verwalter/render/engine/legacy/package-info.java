/**
 * The engines for Tera and Trimmer templates, which verwalter 0.13 had. Nothing refers to this\n *
 * package: it is found with {@link java.util.ServiceLoader}, and without it templates of these\n *
 * languages are refused.
 */
@NullMarked
package verwalter.render.engine.legacy;

import org.jspecify.annotations.NullMarked;
