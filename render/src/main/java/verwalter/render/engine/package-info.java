/**
 * What all template languages share: the interface of an engine, its limits, and the texts of a\n *
 * template directory. Knows no engine; finds those that are installed with {@link\n *
 * java.util.ServiceLoader}.
 */
@NullMarked
package verwalter.render.engine;

import org.jspecify.annotations.NullMarked;
