/**
 * Shared by all template languages: the interface of an engine, its limits, and the texts of a
 * template directory. Independent of any engine; {@link java.util.ServiceLoader} finds those that
 * are installed.
 */
@NullMarked
package verwalter.render.engine;

import org.jspecify.annotations.NullMarked;
