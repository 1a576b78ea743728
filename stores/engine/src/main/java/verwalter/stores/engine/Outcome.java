package verwalter.stores.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.stores.api.StoreException;

/**
 * The outcome of an entry.
 *
 * @param state the state after the entry; it differs from the previous state at least in its index
 * @param results the object of each write after the write; empty if the entry was refused
 * @param effects the effects, one for each object, in the order of their first write
 * @param refusal why the entry was refused; null if it was not
 */
record Outcome(
    State state, List<Stored> results, List<Effect> effects, @Nullable StoreException refusal) {
  static Outcome refused(State state, StoreException why) {
    return new Outcome(state, List.of(), List.of(), why);
  }
}
