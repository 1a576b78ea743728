package verwalter.cli.json;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.client.json.PlainJson;

/**
 * A template of {@code kubectl -o jsonpath=}: text with expressions in braces, {@code {range
 * .items[*]}...{end}}, quoted texts, filters, slices, unions and recursive descent. A path without
 * a value prints nothing.
 */
public final class JsonPath {
  private final List<Part> parts;

  private JsonPath(List<Part> parts) {
    this.parts = parts;
  }

  /** Parses a template; one without a brace is a path, such as {@code .metadata.name}. */
  public static JsonPath template(String text) {
    return text.indexOf('{') < 0 ? path(text) : new JsonPath(new PathParser(text).template());
  }

  /**
   * Parses a single path, with or without braces and the first dot, as {@code --sort-by} takes it.
   */
  public static JsonPath path(String text) {
    var bare = text.strip();
    if (bare.startsWith("{") && bare.endsWith("}")) {
      bare = bare.substring(1, bare.length() - 1).strip();
    }
    boolean rooted = bare.startsWith(".") || bare.startsWith("[") || bare.startsWith("$");
    return new JsonPath(List.of(new PathParser(rooted ? bare : "." + bare).wholePath()));
  }

  /** The text that the template prints for {@code root}. */
  public String print(@Nullable Object root) {
    var out = new StringBuilder();
    parts.forEach(part -> part.print(root, root, out));
    return out.toString();
  }

  /** The values of a single path in {@code root}. */
  public List<@Nullable Object> find(@Nullable Object root) {
    return parts.get(0) instanceof Part.Path path ? path.find(root, root) : List.of();
  }

  /** A part of a template. */
  sealed interface Part {
    void print(@Nullable Object root, @Nullable Object here, StringBuilder out);

    /** Literal text. */
    record Text(String text) implements Part {
      @Override
      public void print(@Nullable Object root, @Nullable Object here, StringBuilder out) {
        out.append(text);
      }
    }

    /** A path from the current value, or from the root if it begins with {@code $}. */
    record Path(boolean rooted, List<PathStep> steps) implements Part {
      List<@Nullable Object> find(@Nullable Object root, @Nullable Object here) {
        return PathStep.walk(steps, rooted ? root : here);
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

    /** Parts that are printed once for each value of a path. */
    record Range(Path over, List<Part> body) implements Part {
      @Override
      public void print(@Nullable Object root, @Nullable Object here, StringBuilder out) {
        over.find(root, here).forEach(each -> body.forEach(part -> part.print(root, each, out)));
      }
    }
  }
}
