/** Simulations of whole agents in virtual time, with a fake machine and a faulty store. */
@NullMarked
package verwalter.e2e.simulation;

import org.jspecify.annotations.NullMarked;
