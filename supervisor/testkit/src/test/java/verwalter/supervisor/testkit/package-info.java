/** Tests of the simulated supervisor. */
@NullMarked
package verwalter.supervisor.testkit;

import org.jspecify.annotations.NullMarked;
