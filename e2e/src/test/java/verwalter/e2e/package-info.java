/**
 * Whole agents: started by the shipped launcher with real processes, and wired under virtual time
 * with a fake supervisor and a faulty store. Also the rules of the architecture.
 */
@NullMarked
package verwalter.e2e;

import org.jspecify.annotations.NullMarked;
