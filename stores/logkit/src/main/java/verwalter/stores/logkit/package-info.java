/** The contract kit of {@link verwalter.stores.engine.Log}, and a log in memory that passes it. */
@NullMarked
package verwalter.stores.logkit;

import org.jspecify.annotations.NullMarked;
