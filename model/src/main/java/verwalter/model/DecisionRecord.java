package verwalter.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * A record of one run of a scheduler with its whole input, so that the run can be explained,
 * compared and repeated.
 *
 * @param at when it ran
 * @param code hash of the scheduler's code, see {@link Scheduler#code}
 * @param input the whole input
 * @param output the decision; absent if the run failed
 * @param problem why it failed; empty if it did not
 * @param log the log of the scheduler
 * @param instructions number of executed instructions of the scheduler's language
 * @param took wall time
 * @param reasons the scheduler's explanations of its decision
 * @param setAside descriptions of the entries that were left out because they make the scheduler
 *     fail
 */
public record DecisionRecord(
    Instant at,
    String code,
    Map<String, Object> input,
    Optional<Map<String, Object>> output,
    String problem,
    String log,
    long instructions,
    Duration took,
    List<Scheduler.Reason> reasons,
    List<String> setAside) {
  public DecisionRecord {
    input = Json.freeze(input);
    output = output.map(Json::freeze);
    reasons = List.copyOf(reasons);
    setAside = List.copyOf(setAside);
  }

  /** SHA-1 of code and input, lower-case hex. It does not depend on the output. */
  public String id() {
    return Json.hash(Map.of("code", code, "input", input));
  }

  /** The hash of the decided schedule; empty if the run failed. */
  public String schedule() {
    return output.map(Json::hash).orElse("");
  }
}
