/**
 * Turns the variables of one role on one node into local files: {@link verwalter.render.Variables}
 * merges, {@link verwalter.render.Renderer} renders a template directory and reads its {@code
 * *.render.yaml} recipes without touching anything, and {@link verwalter.render.Application}
 * applies the result as one transaction. Knows the template engines; knows neither the store nor
 * the supervisor, which it reaches through {@link verwalter.render.ProcessFiles}.
 */
@NullMarked
package verwalter.render;

import org.jspecify.annotations.NullMarked;
