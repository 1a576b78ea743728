/** Tests of the supervisor for simulations. */
@NullMarked
package verwalter.supervisor.testkit;

import org.jspecify.annotations.NullMarked;
