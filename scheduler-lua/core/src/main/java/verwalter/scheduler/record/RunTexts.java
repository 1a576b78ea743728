package verwalter.scheduler.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.DecisionRecord;
import verwalter.model.json.Json;

/**
 * The canonical texts of the input and the output of a run. They have several megabytes in a large
 * cluster, so each is made once.
 *
 * @param record the run
 * @param input the text of its input
 * @param timeless the text of its input without the time
 * @param output the text of its output; empty if it failed
 */
record RunTexts(DecisionRecord record, String input, String timeless, Optional<String> output) {
  private static final String TIME = "now";

  static RunTexts of(DecisionRecord record) {
    var members = new TreeMap<String, String>(Json.BY_CODE_POINT);
    record
        .input()
        .forEach(
            (key, value) -> members.put(key, Json.canonical(key) + ":" + Json.canonical(value)));
    var input = object(members);
    members.remove(TIME);
    return new RunTexts(record, input, object(members), record.output().map(Json::canonical));
  }

  private static String object(Map<String, String> members) {
    return "{" + String.join(",", members.values()) + "}";
  }

  /** See {@link DecisionRecord#id}. */
  String id() {
    return Json.hashOfText(
        "{\"code\":%s,\"input\":".formatted(Json.canonical(record.code())) + input + "}");
  }

  /** See {@link DecisionRecord#schedule}. */
  String schedule() {
    return output.map(Json::hashOfText).orElse("");
  }

  /** A hash of the run without its time, cost and log. */
  String contents() {
    var said = new LinkedHashMap<>(RecordText.head(record));
    List.of("at", "instructions", "took_us").forEach(said::remove);
    return Json.hashOfText(Json.canonical(said) + "\n" + timeless + "\n" + output.orElse(""));
  }
}
