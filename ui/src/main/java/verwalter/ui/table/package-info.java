/**
 * What one row says of an object: the only place where columns are defined, for {@code kubectl},
 * {@code vw} and the status page alike.
 */
@NullMarked
package verwalter.ui.table;

import org.jspecify.annotations.NullMarked;
