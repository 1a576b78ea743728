package verwalter.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * Decides which roles run on which nodes. A pure function: the decision depends only on the input.
 * The guide on writing schedulers describes the input.
 */
@FunctionalInterface
public interface Scheduler extends AutoCloseable {
  /**
   * Makes one decision. Blocks for at most the scheduler's budget; call it off the loop.
   *
   * @throws Failed if the scheduler raised an error, ran out of budget or returned no object
   */
  Decision decide(Map<String, Object> input) throws Failed;

  /**
   * Hash of the program. Schedulers with the same hash are the same function. Empty if it is
   * unknown.
   */
  default String code() {
    return "";
  }

  /** Releases resources such as threads. {@link #decide} must not be called afterwards. */
  @Override
  default void close() {}

  /**
   * A decision.
   *
   * @param data the schedule; see {@link Schedule.Spec#data}
   * @param log the log of the scheduler
   * @param instructions number of executed instructions of the scheduler's language; 0 if not
   *     counted
   * @param timeless whether the scheduler did not read the time, so that the decision does not
   *     depend on it
   * @param reasons the scheduler's explanations, in its order
   * @param answers responses to actions by action id
   */
  record Decision(
      Map<String, Object> data,
      String log,
      long instructions,
      boolean timeless,
      List<Reason> reasons,
      Map<String, Object> answers) {
    public Decision {
      data = Json.freeze(data);
      reasons = List.copyOf(reasons);
      answers = Json.freeze(answers);
    }

    /** Creates a decision that depends on the time, without reasons and answers. */
    public Decision(Map<String, Object> data, String log, long instructions) {
      this(data, log, instructions, false, List.of(), Map.of());
    }
  }

  /**
   * An explanation of a part of a decision.
   *
   * @param role the role that it is about
   * @param node the node, if it is about one node
   */
  record Reason(String role, Optional<String> node, String text) {}

  /** The scheduler failed. The message contains file and line if they are known. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final String log;

    public Failed(String message, String log) {
      super(message, null, false, false);
      this.log = log;
    }

    /** The log of the scheduler until the failure. */
    public String log() {
      return log;
    }
  }
}
