package verwalter.cluster.forks;

import io.vertx.core.json.JsonObject;
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

  static ForkState read(String text) {
    var json = new JsonObject(text);
    return new ForkState(
        new Term(json.getString("leader"), json.getLong("epoch")),
        json.getLong("base"),
        Phase.valueOf(json.getString("phase")));
  }
}
