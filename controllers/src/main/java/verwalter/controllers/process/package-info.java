/**
 * Makes the supervisor run the processes of process groups, and writes their state into the status.
 */
@NullMarked
package verwalter.controllers.process;

import org.jspecify.annotations.NullMarked;
