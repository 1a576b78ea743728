/**
 * Runs processes on this machine. {@link Supervisor} is the port that controllers see; the embedded
 * supervisor behind it reads lithos's file dialect and starts real processes.
 */
@NullMarked
package verwalter.supervisor;

import org.jspecify.annotations.NullMarked;
