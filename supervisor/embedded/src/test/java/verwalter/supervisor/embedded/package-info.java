/** Tests of the pure core and the embedded supervisor with real processes. */
@NullMarked
package verwalter.supervisor.embedded;

import org.jspecify.annotations.NullMarked;
