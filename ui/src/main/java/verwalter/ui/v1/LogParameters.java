package verwalter.ui.v1;

import io.vertx.core.http.HttpServerRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.port.ProcessLogs;

/**
 * The parameters of a request for logs, named as those of Kubernetes.
 *
 * @param follow whether lines that are added later are sent too
 */
record LogParameters(ProcessLogs.Query query, boolean follow) {
  private static final int MOST_LINES = 1_000_000;
  private static final long MOST_SECONDS = 100L * 366 * 86_400;
  private static final Pattern PLACE =
      Pattern.compile("([A-Za-z0-9_-]{1,64})(?:/([A-Za-z0-9_-]{1,64})(?:\\.(\\d{1,6}))?)?");

  /**
   * Parses a request.
   *
   * @param place {@code GROUP}, {@code GROUP/PROCESS} or {@code GROUP/PROCESS.INDEX}
   */
  static LogParameters of(HttpServerRequest request, String place, Instant now) {
    var parts = PLACE.matcher(place);
    if (!parts.matches()) {
      throw RequestProblem.badRequest(
          "\"%s\" is not GROUP, GROUP/PROCESS or GROUP/PROCESS.NUMBER".formatted(place));
    }
    var query =
        new ProcessLogs.Query(
            parts.group(1),
            Optional.ofNullable(parts.group(2)),
            Optional.ofNullable(parts.group(3)).map(Integer::valueOf),
            (int) number(request, "tailLines", MOST_LINES).orElse(-1L).longValue(),
            since(request, now),
            flag(request, "previous"),
            flag(request, "all"));
    return new LogParameters(query, flag(request, "follow"));
  }

  private static Optional<Instant> since(HttpServerRequest request, Instant now) {
    var time = request.getParam("sinceTime");
    if (time == null) {
      return number(request, "sinceSeconds", MOST_SECONDS).map(now::minusSeconds);
    }
    try {
      return Optional.of(Instant.parse(time));
    } catch (DateTimeException malformed) {
      throw RequestProblem.badRequest(
          "sinceTime must be a time such as 2026-11-26T12:00:00Z, not \"%s\"".formatted(time));
    }
  }

  private static Optional<Long> number(HttpServerRequest request, String name, long most) {
    var text = request.getParam(name);
    if (text == null) {
      return Optional.empty();
    }
    if (!text.matches("\\d{1,12}") || Long.parseLong(text) > most) {
      throw RequestProblem.badRequest(
          "%s must be a number from 0 to %d, not \"%s\"".formatted(name, most, text));
    }
    return Optional.of(Long.valueOf(text));
  }

  private static boolean flag(HttpServerRequest request, String name) {
    @Nullable String text = request.getParam(name);
    if (text == null || text.equals("false")) {
      return false;
    }
    if (!text.equals("true")) {
      throw RequestProblem.badRequest("%s must be true or false, not \"%s\"".formatted(name, text));
    }
    return true;
  }
}
