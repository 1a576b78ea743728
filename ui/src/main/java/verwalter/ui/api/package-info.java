/**
 * The object API: the Kubernetes wire protocol for every kind, cluster-scoped, well enough that an
 * unmodified {@code kubectl} works against it.
 */
@NullMarked
package verwalter.ui.api;

import org.jspecify.annotations.NullMarked;
