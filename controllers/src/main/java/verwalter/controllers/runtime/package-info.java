/**
 * The parts of every controller. Sources name <em>keys</em>; a {@link
 * verwalter.controllers.runtime.WorkQueue work queue} keeps each key once; a {@link
 * verwalter.controllers.runtime.Reconciler} compares the desired state of one key with the actual
 * state and moves it one step closer. Reconcilers do not see individual events.
 */
@NullMarked
package verwalter.controllers.runtime;

import org.jspecify.annotations.NullMarked;
