/**
 * Files as a transaction sees them: their state, their modes and owners, and the single steps
 * that\n * change a disk.
 */
@NullMarked
package verwalter.render.disk;

import org.jspecify.annotations.NullMarked;
