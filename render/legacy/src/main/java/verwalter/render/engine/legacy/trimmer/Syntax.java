package verwalter.render.engine.legacy.trimmer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The handling of a template's white space. */
enum Syntax {
  /** White space is kept. */
  PLAIN,
  /** The indentation of blocks is removed. */
  INDENT,
  /** Every run of white space becomes one space. */
  ONELINE;

  static List<String> names() {
    return Arrays.stream(values()).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
  }
}
