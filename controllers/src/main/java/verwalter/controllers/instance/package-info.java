/**
 * Manages one role on one node: creates its files and then its processes, and removes them in
 * reverse order.
 */
@NullMarked
package verwalter.controllers.instance;

import org.jspecify.annotations.NullMarked;
