package verwalter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;

/** Responses that the real server of {@code ui} gave, with additions of a test. */
final class Recorded implements Function<ReceivedRequest, ScriptedAnswer> {
  static final String API = "/apis/verwalter.io/v1";

  private final Map<String, Function<ReceivedRequest, ScriptedAnswer>> answers = new HashMap<>();

  Recorded() {
    on("GET " + API, "types", "types");
    on("GET " + API + "/nodes", "nodes", "nodes.table");
    on("GET " + API + "/nodes/gamma", "node", "node.table");
    on("GET " + API + "/roleinstances", "", "roleinstances.table");
    on("GET " + API + "/roleinstances/shop-worker@alpha", "roleinstance", "");
    on("GET " + API + "/events", "events", "");
    on("GET /v1/status", "status", "");
    on("GET /version", "version", "");
  }

  /** Responds to requests with the line {@code METHOD /path}. */
  Recorded on(String line, Function<ReceivedRequest, ScriptedAnswer> answer) {
    answers.put(line, answer);
    return this;
  }

  Recorded on(String line, String json) {
    return on(line, call -> ScriptedAnswer.json(json));
  }

  @Override
  public ScriptedAnswer apply(ReceivedRequest call) {
    return answers.getOrDefault(call.line(), Recorded::missing).apply(call);
  }

  static String read(String name) {
    try (var in = Recorded.class.getResourceAsStream("recorded/" + name + ".json")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void on(String line, String object, String table) {
    on(line, call -> ScriptedAnswer.json(read(call.wantsTable() ? table : object)));
  }

  private static ScriptedAnswer missing(ReceivedRequest call) {
    var name = call.path().replaceAll("\\?.*", "").replaceAll(".*/", "");
    return ScriptedAnswer.json(404, read("missing").replace("nope", name));
  }
}
