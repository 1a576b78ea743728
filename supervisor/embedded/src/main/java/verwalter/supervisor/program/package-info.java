/**
 * Programs as they are started, whatever described them: what to execute, with which environment
 * and limits, and what was found wrong with the description. Commands of a {@link
 * verwalter.model.ProcessSpec} are read here; images with a configuration inside are read by {@code
 * verwalter.supervisor.lithos}.
 */
@NullMarked
package verwalter.supervisor.program;

import org.jspecify.annotations.NullMarked;
