package verwalter.stores.local;

import java.util.List;
import verwalter.model.Resource;

/**
 * What a transaction comes to.
 *
 * @param state the state after it; the state before, if it changed nothing
 * @param results each object as its write left it
 * @param effects what changed, one per object, in the order it was first touched
 */
record Outcome(State state, List<Resource<?, ?>> results, List<Effect> effects) {
  boolean changed() {
    return !effects.isEmpty();
  }
}
