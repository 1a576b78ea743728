package verwalter.scheduler.record;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.DecisionRecord;
import verwalter.model.Scheduler.Reason;
import verwalter.model.json.Json;

/** A decision as compressed text: on disk, and from an agent to the program that replays it. */
public final class RecordText {
  /** The number of UTF-16 units of a line of a log; longer logs are split. */
  private static final int LOG_LINE = 1 << 20;

  /** The record as compressed lines of JSON. */
  public static byte[] pack(DecisionRecord record) {
    return pack(RunTexts.of(record));
  }

  static byte[] pack(RunTexts texts) {
    var record = texts.record();
    var known = new HashMap<String, String>();
    known.put("input", texts.input());
    texts.output().ifPresent(output -> known.put("output", output));
    var whole = new LinkedHashMap<String, Object>();
    whole.put("head", head(record));
    whole.put("input", record.input());
    record.output().ifPresent(output -> whole.put("output", output));
    whole.put("log", lines(record.log()));
    return ChunkedJson.pack(whole, known);
  }

  /** The summary of a run: everything except input, output and log. */
  public static Map<String, Object> head(DecisionRecord record) {
    var head = new LinkedHashMap<String, Object>();
    head.put("at", record.at().toString());
    head.put("code", record.code());
    head.put("problem", record.problem());
    head.put("instructions", record.instructions());
    head.put("took_us", record.took().toNanos() / 1_000);
    head.put("reasons", record.reasons().stream().map(RecordText::reason).toList());
    head.put("set_aside", record.setAside());
    return head;
  }

  private static Map<String, Object> reason(Reason reason) {
    var said = new LinkedHashMap<String, Object>();
    said.put("role", reason.role());
    reason.node().ifPresent(node -> said.put("node", node));
    said.put("text", reason.text());
    return said;
  }

  private static List<String> lines(String log) {
    var lines = new ArrayList<String>();
    for (int from = 0; from < log.length(); ) {
      int to = Math.min(log.length(), from + LOG_LINE);
      if (to < log.length() && Character.isHighSurrogate(log.charAt(to - 1))) {
        to--;
      }
      lines.add(log.substring(from, to));
      from = to;
    }
    return lines;
  }

  /**
   * Parses the record of a compressed text.
   *
   * @throws IOException if it is truncated, corrupt, or not a record
   */
  public static DecisionRecord unpack(InputStream packed) throws IOException {
    var whole = ChunkedJson.unpack(packed);
    var head = Json.object(whole.get("head"));
    try {
      var log = new StringBuilder();
      for (var line : (List<?>) whole.getOrDefault("log", List.of())) {
        log.append(line);
      }
      return new DecisionRecord(
          Instant.parse(text(head, "at")),
          text(head, "code"),
          Json.object(whole.get("input")),
          Optional.ofNullable(whole.get("output")).map(Json::object),
          text(head, "problem"),
          log.toString(),
          number(head, "instructions"),
          Duration.ofNanos(number(head, "took_us") * 1_000),
          reasons((List<?>) head.getOrDefault("reasons", List.of())),
          ((List<?>) head.getOrDefault("set_aside", List.of()))
              .stream().map(String::valueOf).toList());
    } catch (ClassCastException | DateTimeException malformed) {
      throw new IOException("not a record: " + malformed.getMessage(), malformed);
    }
  }

  private static List<Reason> reasons(List<?> said) {
    return said.stream()
        .map(Json::object)
        .map(
            each ->
                new Reason(
                    text(each, "role"),
                    Optional.ofNullable((String) each.get("node")),
                    text(each, "text")))
        .toList();
  }

  private static String text(Map<String, Object> head, String name) {
    return (String) head.getOrDefault(name, "");
  }

  private static long number(Map<String, Object> head, String name) {
    return (Long) head.getOrDefault(name, 0L);
  }

  private RecordText() {}
}
