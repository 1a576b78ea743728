package verwalter.ui.v1;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.ui.port.CommandSessions;

/**
 * The first message of a client on {@link ExecChannel#CONTROL}: {@code {"command": [..],
 * "terminal": {"rows": N, "columns": N, "type": TEXT}}}, both optional.
 */
record ExecMessage(List<String> arguments, Optional<CommandSessions.Terminal> terminal) {
  private static final int MOST_WORDS = 1000;

  /**
   * Reads the message.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static ExecMessage read(Buffer text) {
    var json = object(text);
    var words = json.getOrDefault("command", List.of());
    if (!(words instanceof List<?> list)
        || list.size() > MOST_WORDS
        || !list.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException("command must be a list of up to 1000 texts");
    }
    var terminal = Optional.ofNullable(json.get("terminal")).map(Json::object);
    return new ExecMessage(
        list.stream().map(String::valueOf).toList(),
        terminal.map(
            it ->
                new CommandSessions.Terminal(
                    number(it, "rows"),
                    number(it, "columns"),
                    it.getOrDefault("type", "") instanceof String type && !type.isEmpty()
                        ? type
                        : "dumb")));
  }

  /** A new size of the terminal: {@code {"rows": N, "columns": N}}. */
  record Size(int rows, int columns) {
    static Size read(Buffer text) {
      var json = object(text);
      return new Size(number(json, "rows"), number(json, "columns"));
    }
  }

  private static Map<String, Object> object(Buffer text) {
    try {
      return Json.object(Json.parse(text.toString()));
    } catch (DecodeException malformed) {
      throw new IllegalArgumentException("a message is malformed", malformed);
    }
  }

  private static int number(Map<String, Object> json, String field) {
    if (json.get(field) instanceof Long number && number > 0 && number <= 10_000) {
      return number.intValue();
    }
    throw new IllegalArgumentException(field + " must be a number from 1 to 10000");
  }
}
