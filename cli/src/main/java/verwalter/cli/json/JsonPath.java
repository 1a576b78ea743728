package verwalter.cli.json;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.client.json.PlainJson;

/**
 * A template as {@code kubectl -o jsonpath=} takes it: text with expressions in braces, {@code
 * {range .items[*]}...{end}}, texts in quotes, filters, slices, unions and recursive descent. A
 * path that leads nowhere prints nothing.
 */
public final class JsonPath {
  private final List<Part> parts;

  private JsonPath(List<Part> parts) {
    this.parts = parts;
  }

  /** The template; one without any brace is a path, as in {@code .metadata.name}. */
  public static JsonPath template(String text) {
    return text.indexOf('{') < 0 ? path(text) : new JsonPath(new PathParser(text).template());
  }

  /** A single path, with or without its braces and its first dot: what {@code --sort-by} takes. */
  public static JsonPath path(String text) {
    var bare = text.strip();
    if (bare.startsWith("{") && bare.endsWith("}")) {
      bare = bare.substring(1, bare.length() - 1).strip();
    }
    boolean rooted = bare.startsWith(".") || bare.startsWith("[") || bare.startsWith("$");
    return new JsonPath(List.of(new PathParser(rooted ? bare : "." + bare).wholePath()));
  }

  /** What the template prints of {@code root}. */
  public String print(@Nullable Object root) {
    var out = new StringBuilder();
    parts.forEach(part -> part.print(root, root, out));
    return out.toString();
  }

  /** The values a single path finds in {@code root}. */
  public List<@Nullable Object> find(@Nullable Object root) {
    return parts.get(0) instanceof Part.Path path ? path.find(root, root) : List.of();
  }

  /** A piece of a template. */
  sealed interface Part {
    void print(@Nullable Object root, @Nullable Object here, StringBuilder out);

    /** Text that stands for itself. */
    record Text(String text) implements Part {
      @Override
      public void print(@Nullable Object root, @Nullable Object here, StringBuilder out) {
        out.append(text);
      }
    }

    /** A path from here, or from the root when it begins with {@code $}. */
    record Path(boolean rooted, List<Step> steps) implements Part {
      List<@Nullable Object> find(@Nullable Object root, @Nullable Object here) {
        return Step.walk(steps, rooted ? root : here);
      }

      @Override
      public void print(@Nullable Object root, @Nullable Object here, StringBuilder out) {
        out.append(find(root, here).stream().map(Path::text).collect(Collectors.joining(" ")));
      }

      private static String text(@Nullable Object value) {
        return value instanceof Map || value instanceof List
            ? PlainJson.line(value)
            : value == null ? "" : value.toString();
      }
    }

    /** Parts printed once for each value of a path. */
    record Range(Path over, List<Part> body) implements Part {
      @Override
      public void print(@Nullable Object root, @Nullable Object here, StringBuilder out) {
        over.find(root, here).forEach(each -> body.forEach(part -> part.print(root, each, out)));
      }
    }
  }
}
