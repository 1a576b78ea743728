package verwalter.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * One run of a scheduler with everything it depended on, so that it can be explained, compared, and
 * run again.
 *
 * @param at when it ran
 * @param code hash of the scheduler's code, see {@link Scheduler#code}
 * @param input the whole input
 * @param output what was decided; absent if the run failed
 * @param problem why it failed; empty if it did not
 * @param log what the scheduler had to say
 * @param instructions steps of the scheduler's language
 * @param took wall time
 * @param reasons what the scheduler said of its decisions
 * @param setAside what was kept from it because it fails with it, for people
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

  /** SHA-1 of code and input, lower-case hex: of the question, not of the answer. */
  public String id() {
    return Json.hash(Map.of("code", code, "input", input));
  }

  /** The hash of the schedule that came of it; empty if none did. */
  public String schedule() {
    return output.map(Json::hash).orElse("");
  }
}
