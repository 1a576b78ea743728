/**
 * The HTTP server of a node: the object API, verwalter's own {@code /v1}, health and metrics, and
 * the status page. It knows only the store and the ports of {@code verwalter.ui.port}.
 */
@NullMarked
package verwalter.ui;

import org.jspecify.annotations.NullMarked;
