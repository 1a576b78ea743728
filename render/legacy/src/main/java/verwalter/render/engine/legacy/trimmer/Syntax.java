package verwalter.render.engine.legacy.trimmer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What becomes of a template's white space. */
enum Syntax {
  /** It stays. */
  PLAIN,
  /** The indentation that blocks add is taken away. */
  INDENT,
  /** Every run of it becomes one space. */
  ONELINE;

  static List<String> names() {
    return Arrays.stream(values()).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
  }
}
