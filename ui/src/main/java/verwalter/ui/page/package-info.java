/**
 * The status page: one HTML page that reads well without scripts, and one stream of small updates
 * that keeps it true with them. All markup is made here; the browser only puts it in its place.
 */
@NullMarked
package verwalter.ui.page;

import org.jspecify.annotations.NullMarked;
