package verwalter.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * Decides what runs where. A pure function: the same input gives the same decision, and nothing but
 * the input counts. The guide on writing schedulers lists what the input holds.
 */
@FunctionalInterface
public interface Scheduler extends AutoCloseable {
  /**
   * Makes one decision; takes as long as the scheduler's budget allows, so call it off the loop.
   *
   * @throws Failed if the scheduler raised an error, ran out of budget or returned no object
   */
  Decision decide(Map<String, Object> input) throws Failed;

  /** Hash of the program: the same code is the same function. Empty if there is no telling. */
  default String code() {
    return "";
  }

  /** Lets go of what the scheduler holds, such as a thread; nothing may be decided afterwards. */
  @Override
  default void close() {}

  /**
   * What was decided.
   *
   * @param data the schedule; see {@link Schedule.Spec#data}
   * @param log what the scheduler had to say while deciding
   * @param instructions how many instructions of the scheduler's language it took; 0 if not counted
   * @param timeless whether the scheduler did not look at the time, so that the same input at
   *     another time gives the same decision
   * @param reasons what the scheduler said of its decisions, in its order
   * @param answers responses to actions, by their ids
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

    /** A decision that depends on the time and says nothing more of itself. */
    public Decision(Map<String, Object> data, String log, long instructions) {
      this(data, log, instructions, false, List.of(), Map.of());
    }
  }

  /**
   * Why a scheduler decided as it did.
   *
   * @param role that the decision is about
   * @param node where, if it is about one node
   */
  record Reason(String role, Optional<String> node, String text) {}

  /** No decision was made; the message names file and line where there is one. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final String log;

    public Failed(String message, String log) {
      super(message, null, false, false);
      this.log = log;
    }

    /** What the scheduler said before it failed. */
    public String log() {
      return log;
    }
  }
}
