package verwalter.ui.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Media types in headers. */
public final class MediaTypes {
  public static final String JSON = "application/json";
  public static final String YAML = "application/yaml";
  public static final String MERGE_PATCH = "application/merge-patch+json";
  public static final String JSON_PATCH = "application/json-patch+json";

  /** One media type: {@code type/subtype} in lower case, with its parameters. */
  public record MediaType(String name, Map<String, String> parameters) {
    public MediaType {
      parameters = Map.copyOf(parameters);
    }

    /** The value of a parameter; empty if it is missing. */
    public String parameter(String parameter) {
      return parameters.getOrDefault(parameter, "");
    }

    private double weight() {
      try {
        return Double.parseDouble(parameters.getOrDefault("q", "1"));
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  /**
   * The types of an {@code Accept} header, most preferred first; any type if there is no header.
   */
  public static List<MediaType> accepted(@Nullable String header) {
    var text = header == null || header.isBlank() ? "*/*" : header;
    return Arrays.stream(text.split(",", 50))
        .map(MediaTypes::parse)
        .filter(type -> type.weight() > 0)
        .sorted((a, b) -> Double.compare(b.weight(), a.weight()))
        .toList();
  }

  /** The name in a {@code Content-Type} header; JSON if there is none. */
  public static String content(@Nullable String header) {
    return header == null ? JSON : parse(header).name();
  }

  /** Parses one media type with its parameters. */
  public static MediaType parse(String text) {
    var parts = text.split(";", 20);
    var parameters = new TreeMap<String, String>();
    for (var part : Arrays.asList(parts).subList(1, parts.length)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parameters.put(
            part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
            part.substring(equals + 1).strip());
      }
    }
    return new MediaType(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
  }

  /** Whether it is one of the media types of YAML. */
  public static boolean isYaml(String name) {
    return List.of(YAML, "application/x-yaml", "text/yaml", "text/x-yaml").contains(name);
  }

  private MediaTypes() {}
}
