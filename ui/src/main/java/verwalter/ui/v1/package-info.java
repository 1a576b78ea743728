/** What verwalter has always answered below {@code /v1}: status, schedule and the like. */
@NullMarked
package verwalter.ui.v1;

import org.jspecify.annotations.NullMarked;
