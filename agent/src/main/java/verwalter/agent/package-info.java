/**
 * The agent: reads the command line, builds every part, wires them and closes them in reverse. The
 * only module that depends on all others, and the only one that creates clocks, threads, random
 * numbers and sockets.
 */
@NullMarked
package verwalter.agent;

import org.jspecify.annotations.NullMarked;
