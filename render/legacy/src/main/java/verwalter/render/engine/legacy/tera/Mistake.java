package verwalter.render.engine.legacy.tera;

import java.util.Collection;
import java.util.List;

/**
 * One thing that is wrong with a template, or with what it was given.
 *
 * @param line from 1
 * @param column from 1, in code points
 * @param name the name that is unknown; empty if the mistake is another
 * @param known the names that would have been right in its place
 */
public record Mistake(
    String file, int line, int column, String text, String name, List<String> known) {

  static Mistake at(Source source, int at, String text, String name, Collection<String> known) {
    var before = source.text().substring(0, Math.min(at, source.text().length()));
    int start = before.lastIndexOf('\n') + 1;
    int line = 1 + (int) before.chars().filter(letter -> letter == '\n').count();
    int column = 1 + before.codePointCount(start, before.length());
    return new Mistake(source.file(), line, column, text, name, List.copyOf(known));
  }
}
