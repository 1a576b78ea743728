/**
 * The status page: one HTML page that works without scripts, and one stream of small updates. All
 * markup is made on the server; the script only inserts it.
 */
@NullMarked
package verwalter.ui.page;

import org.jspecify.annotations.NullMarked;
