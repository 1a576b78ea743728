/**
 * Virtual time for tests: loops whose order depends on a seed; the contract test of loops; and a
 * loop for tests with real servers.
 */
@NullMarked
package verwalter.concurrent.testkit;

import org.jspecify.annotations.NullMarked;
