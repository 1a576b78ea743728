/**
 * Parses {@code *.render.yaml} recipes and renders the templates that they name. Commands are data
 * here; {@code apply} runs them.
 */
@NullMarked
package verwalter.render.recipe;

import org.jspecify.annotations.NullMarked;
