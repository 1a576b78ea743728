/**
 * What all HTTP routes share: refusals as Kubernetes {@code Status} objects, the guard at the door,
 * reading bodies and writing answers, and counting requests.
 */
@NullMarked
package verwalter.ui.http;

import org.jspecify.annotations.NullMarked;
