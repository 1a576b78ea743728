/**
 * Shared by all HTTP routes: errors as Kubernetes {@code Status} objects, the guard, parsing of
 * bodies, writing of responses, and request metrics.
 */
@NullMarked
package verwalter.ui.http;

import org.jspecify.annotations.NullMarked;
