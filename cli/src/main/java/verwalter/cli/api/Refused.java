package verwalter.cli.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import verwalter.cli.http.Reply;
import verwalter.cli.json.Json;

/** The server said no: a Kubernetes {@code Status}, or what stands for one. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final Pattern GROUP =
      Pattern.compile("\\." + Pattern.quote(Api.GROUP) + "(?= \")");
  private static final Pattern PARAGRAPH = Pattern.compile("<p>([^<]*)</p>");
  private static final Pattern NAMED = Pattern.compile("field \"([^\"]+)\"");

  private final int code;
  private final String reason;
  private final transient List<Cause> causes;

  /** One thing that is wrong, with the path of the field it is about. */
  public record Cause(String field, String message) {}

  Refused(int code, String reason, String message, List<Cause> causes) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.causes = List.copyOf(causes);
  }

  /** The HTTP status. */
  public int code() {
    return code;
  }

  /** One CamelCase word, such as {@code NotFound}. */
  public String reason() {
    return reason;
  }

  /** What is wrong with which fields; empty when the server names none. */
  public List<Cause> causes() {
    return causes;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  static Refused of(Reply reply) throws IOException {
    var bytes = reply.bytes();
    if (reply.headers().getOrDefault("content-type", "").contains("json")) {
      var status = Json.readObject(bytes);
      if (Json.text(status, "kind").equals("Status")) {
        return of(status);
      }
    }
    var text = paragraph(new String(bytes, StandardCharsets.UTF_8).strip());
    var line = text.lines().findFirst().orElse("");
    boolean readable = !line.isEmpty() && !line.startsWith("<") && line.length() < 300;
    return new Refused(
        reply.status(),
        "",
        readable ? line : "the server answered " + reply.status() + " without a reason",
        List.of());
  }

  /** What an error page says; any other text as it is. */
  private static String paragraph(String text) {
    var page = PARAGRAPH.matcher(text);
    return text.startsWith("<") && page.find()
        ? page.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        : text;
  }

  static Refused of(Map<String, Object> status) {
    var message = GROUP.matcher(Json.text(status, "message")).replaceAll("");
    var causes = new ArrayList<Cause>();
    for (var cause : Json.list(status, "details", "causes")) {
      causes.add(new Cause(Json.text(cause, "field"), Json.text(cause, "message")));
    }
    if (causes.isEmpty()) {
      var named = NAMED.matcher(message);
      while (named.find()) {
        causes.add(new Cause(named.group(1), message));
      }
    }
    int code = Json.at(status, "code") instanceof Number number ? number.intValue() : 0;
    return new Refused(code, Json.text(status, "reason"), message, causes);
  }
}
