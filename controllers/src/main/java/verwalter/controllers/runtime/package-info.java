/**
 * What every controller is made of. Sources name <em>keys</em>; a {@link
 * verwalter.controllers.runtime.WorkQueue work queue} keeps each key once; a {@link
 * verwalter.controllers.runtime.Reconciler} looks at the present state of one key and brings the
 * world a step closer to it. Nobody handles "what happened".
 */
@NullMarked
package verwalter.controllers.runtime;

import org.jspecify.annotations.NullMarked;
