/**
 * Tests of whole agents, started with the launcher and real processes, or in virtual time with a
 * fake supervisor and a faulty store. Also tests of the architecture and the documentation.
 */
@NullMarked
package verwalter.e2e;

import org.jspecify.annotations.NullMarked;
