/** Tests of the conversion of commands to programs. */
@NullMarked
package verwalter.supervisor.program;

import org.jspecify.annotations.NullMarked;
