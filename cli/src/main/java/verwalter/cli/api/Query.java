package verwalter.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The query of a request; parameters without a value are left out. */
public record Query(Map<String, String> parameters) {
  public static final Query NONE = new Query(Map.of());

  public Query {
    parameters = new LinkedHashMap<>(parameters);
  }

  /** This query with one parameter more. */
  public Query with(String name, String value) {
    var more = new LinkedHashMap<>(parameters);
    if (value.isEmpty()) {
      more.remove(name);
    } else {
      more.put(name, value);
    }
    return new Query(more);
  }

  /** With one requirement more among the field selectors. */
  public Query field(String path, String value) {
    var last = parameters.getOrDefault("fieldSelector", "");
    return with("fieldSelector", (last.isEmpty() ? "" : last + ",") + path + "=" + value);
  }

  /** Escaped, with its question mark; empty when there is no parameter. */
  @Override
  public String toString() {
    return parameters.isEmpty()
        ? ""
        : parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + escape(each.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }

  public static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%40", "@")
        .replace("%2F", "/");
  }
}
