package verwalter.render.apply;

import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Splits a text into named sections. */
final class Sections {
  private static final int LIMIT = 10_000;

  private final Pattern section;
  private final Pattern validate;
  private final Map<String, String> texts = new LinkedHashMap<>();

  private Sections(Pattern section, Pattern validate) {
    this.section = section;
    this.validate = validate;
  }

  /**
   * The lines of each section by name, in the order of their first lines. A repeated name replaces
   * the earlier section.
   *
   * @param section finds the lines that start a section; its first group is the name
   * @param validate a pattern that each name must contain
   */
  static Map<String, String> of(String text, Pattern section, Pattern validate) throws Run.Failed {
    var sections = new Sections(section, validate);
    sections.split(text);
    return Collections.unmodifiableMap(sections.texts);
  }

  private void split(String text) throws Run.Failed {
    StringBuilder current = null;
    String name = "";
    int number = 0;
    for (var line : lines(text)) {
      number++;
      var start = section.matcher(line);
      if (start.find()) {
        if (current != null) {
          put(name, current);
        }
        name = checked(start.groupCount() == 0 ? null : start.group(1), number);
        current = new StringBuilder();
      } else if (current != null) {
        current.append(line).append('\n');
      } else if (!line.isBlank()) {
        throw new Run.Failed("line " + number + " of the source stands before the first section");
      }
    }
    if (current != null) {
      put(name, current);
    }
  }

  private void put(String name, StringBuilder lines) throws Run.Failed {
    texts.put(name, lines.toString());
    if (texts.size() > LIMIT) {
      throw new Run.Failed("the source has more than " + LIMIT + " sections");
    }
  }

  private String checked(@Nullable String captured, int line) throws Run.Failed {
    var name = captured == null ? "" : captured;
    if (!validate.matcher(name).find()) {
      throw new Run.Failed(
          "the section name `%s` in line %d of the source does not match `%s`"
              .formatted(name, line, validate.pattern()));
    }
    return name;
  }

  /** Lines without their ends: a line feed, optionally after a carriage return. */
  static List<String> lines(String text) {
    var body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(body.split("\n", -1))
            .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
            .toList();
  }
}
