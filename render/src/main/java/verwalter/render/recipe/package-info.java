/**
 * Reads {@code *.render.yaml} recipes and renders the templates that they name. Commands are data\n
 * * here; {@code apply} carries them out.
 */
@NullMarked
package verwalter.render.recipe;

import org.jspecify.annotations.NullMarked;
