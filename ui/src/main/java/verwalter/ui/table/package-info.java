/**
 * The columns of the tables of every kind, shared by {@code kubectl}, {@code vw} and the status
 * page.
 */
@NullMarked
package verwalter.ui.table;

import org.jspecify.annotations.NullMarked;
