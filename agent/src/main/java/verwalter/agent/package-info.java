/**
 * The agent: reads the command line, builds every part, wires them and closes them in reverse. The
 * only module that knows all others, and the only one that makes clocks, threads, randomness and
 * sockets.
 */
@NullMarked
package verwalter.agent;

import org.jspecify.annotations.NullMarked;
