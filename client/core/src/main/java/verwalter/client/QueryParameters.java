package verwalter.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The query parameters of a request. Parameters without a value are omitted. */
public record QueryParameters(Map<String, String> parameters) {
  public static final QueryParameters NONE = new QueryParameters(Map.of());

  public QueryParameters {
    parameters = new LinkedHashMap<>(parameters);
  }

  /** Returns a copy with a parameter. An empty value removes it. */
  public QueryParameters with(String name, String value) {
    var more = new LinkedHashMap<>(parameters);
    if (value.isEmpty()) {
      more.remove(name);
    } else {
      more.put(name, value);
    }
    return new QueryParameters(more);
  }

  /** Returns a copy with another requirement in the field selector. */
  public QueryParameters field(String path, String value) {
    var last = parameters.getOrDefault("fieldSelector", "");
    return with("fieldSelector", (last.isEmpty() ? "" : last + ",") + path + "=" + value);
  }

  /** The escaped query including the question mark; empty without parameters. */
  @Override
  public String toString() {
    return parameters.isEmpty()
        ? ""
        : parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + escape(each.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }

  /** Escapes a text as a segment of a path. */
  public static String segment(String text) {
    return escape(text).replace("/", "%2F");
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%40", "@")
        .replace("%2F", "/");
  }
}
