/** Whole agents under virtual time: the real wiring, a fake machine and a store that fails. */
@NullMarked
package verwalter.e2e.simulation;

import org.jspecify.annotations.NullMarked;
