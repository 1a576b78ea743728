package verwalter.cluster.sides;

import java.util.Optional;
import verwalter.model.Action;

/**
 * An action that a side accepted.
 *
 * @param key the action
 * @param spec the request
 * @param status what became of it; empty while it is pending
 */
public record ForkAction(Key key, Action.Spec spec, Optional<Action.Status> status) {
  /**
   * Identifies an action. Two sides may give the same id to different actions.
   *
   * @param id the name of its object
   * @param home the term in which it was accepted; only its leader may apply the action on a fork
   */
  public record Key(String id, ForkId home) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byHome = home.compareTo(other.home);
      return byHome != 0 ? byHome : id.compareTo(other.id);
    }
  }
}
