package verwalter.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import verwalter.client.json.PlainJson;

/** The server refused a request with a Kubernetes {@code Status}. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final Pattern GROUP =
      Pattern.compile("\\." + Pattern.quote(ApiClient.GROUP) + "(?= \")");
  private static final Pattern PARAGRAPH = Pattern.compile("<p>([^<]*)</p>");
  private static final Pattern NAMED = Pattern.compile("field \"([^\"]+)\"");

  private final int code;
  private final String reason;
  private final transient List<Cause> causes;

  /** One reason of a refusal, with the path of the field that it is about. */
  public record Cause(String field, String message) {}

  ApiException(int code, String reason, String message, List<Cause> causes) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.causes = List.copyOf(causes);
  }

  /**
   * Whether the server does not know the version of a list or a watch any more, so that objects
   * must be listed again.
   */
  public boolean isExpired() {
    return code == 410;
  }

  /** Whether the object was changed since it was read. */
  public boolean isConflict() {
    return code == 409 && (reason.isEmpty() || reason.equals("Conflict"));
  }

  /** Whether the same request may succeed later. */
  public boolean isTransient() {
    return code == 429 || code >= 500;
  }

  /** The HTTP status. */
  public int code() {
    return code;
  }

  /** One CamelCase word, such as {@code NotFound}. */
  public String reason() {
    return reason;
  }

  /** The invalid fields; empty if the server reports none. */
  public List<Cause> causes() {
    return causes;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** Reads the refusal from an answer with an error status. */
  public static ApiException of(int code, Map<String, String> headers, byte[] body)
      throws IOException {
    if (headers.getOrDefault("content-type", "").contains("json")) {
      var status = PlainJson.readObject(body);
      if (PlainJson.text(status, "kind").equals("Status")) {
        return of(status);
      }
    }
    var text = paragraph(new String(body, StandardCharsets.UTF_8).strip());
    var line = text.lines().findFirst().orElse("");
    boolean readable = !line.isEmpty() && !line.startsWith("<") && line.length() < 300;
    return new ApiException(
        code, "", readable ? line : "the server answered " + code + " without a reason", List.of());
  }

  /** Returns the first paragraph of an HTML page, or any other text unchanged. */
  private static String paragraph(String text) {
    var page = PARAGRAPH.matcher(text);
    return text.startsWith("<") && page.find()
        ? page.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        : text;
  }

  /** Converts a {@code Status} object. */
  public static ApiException of(Map<String, Object> status) {
    var message = GROUP.matcher(PlainJson.text(status, "message")).replaceAll("");
    var causes = new ArrayList<Cause>();
    for (var cause : PlainJson.list(status, "details", "causes")) {
      causes.add(new Cause(PlainJson.text(cause, "field"), PlainJson.text(cause, "message")));
    }
    if (causes.isEmpty()) {
      var named = NAMED.matcher(message);
      while (named.find()) {
        causes.add(new Cause(named.group(1), message));
      }
    }
    int code = PlainJson.at(status, "code") instanceof Number number ? number.intValue() : 0;
    return new ApiException(code, PlainJson.text(status, "reason"), message, causes);
  }
}
