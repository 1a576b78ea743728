/**
 * What all HTTP routes share: refusals as Kubernetes {@code Status} objects, the guard, reading
 * bodies and writing answers, and counting requests.
 */
@NullMarked
package verwalter.ui.http;

import org.jspecify.annotations.NullMarked;
