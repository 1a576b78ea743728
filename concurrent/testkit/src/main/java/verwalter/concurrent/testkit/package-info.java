/** Virtual time for tests: loops whose order depends on a seed, and the contract test of loops. */
@NullMarked
package verwalter.concurrent.testkit;

import org.jspecify.annotations.NullMarked;
