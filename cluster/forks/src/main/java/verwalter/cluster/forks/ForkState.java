package verwalter.cluster.forks;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Optional;
import verwalter.cluster.Term;
import verwalter.cluster.sides.SidePromise;

/**
 * The fork of a node as its file says.
 *
 * @param term the last term that the node accepted
 * @param base the version of the log's state below the fork
 * @param phase how far the fork is
 */
record ForkState(Term term, long base, Phase phase) {
  /** The phases, in order. */
  enum Phase {
    /** The term may write. */
    OPEN,
    /** The term has ended, and its writes are to be merged. */
    CLOSED,
    /** The writes are in the log. */
    MERGED
  }

  /** What the node has promised. */
  static SidePromise promise(Optional<ForkState> state) {
    var promise = new SidePromise(state.map(ForkState::term));
    return state.filter(it -> it.phase() != Phase.OPEN).isPresent() ? promise.retired() : promise;
  }

  /** Whether the node itself leads, or led, in this term. */
  boolean isOwn(String self) {
    return term.leader().equals(self);
  }

  /**
   * Whether this state may take the place of an earlier one: a promise only grows, and so does the
   * phase of a term.
   */
  boolean follows(ForkState earlier) {
    return term.equals(earlier.term)
        ? phase.compareTo(earlier.phase) >= 0
        : term.epoch() > earlier.term.epoch();
  }

  ForkState in(Phase next) {
    return new ForkState(term, base, next);
  }

  String text() {
    return new JsonObject()
        .put("leader", term.leader())
        .put("epoch", term.epoch())
        .put("base", base)
        .put("phase", phase.name())
        .encodePrettily();
  }

  /**
   * Reads what {@link #text} returns.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  static ForkState read(String text) {
    try {
      var json = new JsonObject(text);
      return new ForkState(
          new Term(Objects.requireNonNull(json.getString("leader")), json.getLong("epoch")),
          json.getLong("base"),
          Phase.valueOf(json.getString("phase")));
    } catch (DecodeException | ClassCastException | NullPointerException malformed) {
      throw new IllegalArgumentException("not the state of a fork: " + text, malformed);
    }
  }
}
