/**
 * The object store. Implementations are separate modules. The contract tests in {@code
 * stores/testkit} check the numbered promises for each of them.
 */
@NullMarked
package verwalter.stores.api;

import org.jspecify.annotations.NullMarked;
