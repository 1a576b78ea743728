/**
 * Who calls, and whether they may: authentication of requests, the operation of each route, and the
 * decision before a route runs.
 */
@NullMarked
package verwalter.ui.access;

import org.jspecify.annotations.NullMarked;
