/** The routes of verwalter 0.13 below {@code /v1}: status, schedule, actions, logs and queries. */
@NullMarked
package verwalter.ui.v1;

import org.jspecify.annotations.NullMarked;
