/** Tests of the port, the pure core and the embedded supervisor with real processes. */
@NullMarked
package verwalter.supervisor;

import org.jspecify.annotations.NullMarked;
