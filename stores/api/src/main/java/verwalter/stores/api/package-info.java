/**
 * Where state lives and what runs the code that touches it: the object store, and the loop (one
 * thread of control and its clock). Implementations are elsewhere; the kits in {@code
 * stores/testkit} hold each of them to the promises numbered here.
 */
@NullMarked
package verwalter.stores.api;

import org.jspecify.annotations.NullMarked;
