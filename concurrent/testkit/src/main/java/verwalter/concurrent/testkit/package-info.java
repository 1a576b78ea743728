/** Virtual time for tests: loops whose order comes from a seed, and the contract of every loop. */
@NullMarked
package verwalter.concurrent.testkit;

import org.jspecify.annotations.NullMarked;
