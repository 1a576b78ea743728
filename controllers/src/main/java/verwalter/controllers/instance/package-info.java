/**
 * Carries one role on one node through its life: its files first, then its processes; the other way
 * round at the end.
 */
@NullMarked
package verwalter.controllers.instance;

import org.jspecify.annotations.NullMarked;
