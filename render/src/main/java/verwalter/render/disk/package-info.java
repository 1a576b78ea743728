/**
 * Files as seen by a transaction: their state, modes and owners, and the operations that change a
 * disk.
 */
@NullMarked
package verwalter.render.disk;

import org.jspecify.annotations.NullMarked;
