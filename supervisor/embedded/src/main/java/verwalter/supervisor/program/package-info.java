/**
 * Programs to start, independent of their description: what to execute, with which environment and
 * limits, and the problems of the description. Commands of a {@link verwalter.model.ProcessSpec}
 * are validated here; images with their configuration in {@code verwalter.supervisor.lithos}.
 */
@NullMarked
package verwalter.supervisor.program;

import org.jspecify.annotations.NullMarked;
