/**
 * The object API: the Kubernetes wire protocol for every kind, cluster-scoped. An unmodified {@code
 * kubectl} works with it.
 */
@NullMarked
package verwalter.ui.api;

import org.jspecify.annotations.NullMarked;
