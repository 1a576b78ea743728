package verwalter.stores.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.stores.api.StoreException;

/**
 * What an entry does.
 *
 * @param state the state after it; it differs from the one before at least in its index
 * @param results each object as its write left it; none if it was refused
 * @param effects what changed, one per object, in the order it was first touched
 * @param refusal why it has no effect; null if it has
 */
record Outcome(
    State state, List<Stored> results, List<Effect> effects, @Nullable StoreException refusal) {
  static Outcome refused(State state, StoreException why) {
    return new Outcome(state, List.of(), List.of(), why);
  }
}
