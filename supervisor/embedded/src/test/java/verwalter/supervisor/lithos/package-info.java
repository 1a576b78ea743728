/** Tests of the dialect, the records and the checks. */
@NullMarked
package verwalter.supervisor.lithos;

import org.jspecify.annotations.NullMarked;
