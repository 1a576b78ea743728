/**
 * The contract tests of stores, and stores that inject faults or count. A published module, so that
 * other implementations of stores can be tested. Not on the agent's class path.
 */
@NullMarked
package verwalter.stores.testkit;

import org.jspecify.annotations.NullMarked;
