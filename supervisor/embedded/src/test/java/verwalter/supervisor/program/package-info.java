/** Tests of how commands become programs. */
@NullMarked
package verwalter.supervisor.program;

import org.jspecify.annotations.NullMarked;
