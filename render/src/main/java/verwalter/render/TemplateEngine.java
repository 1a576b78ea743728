package verwalter.render;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One template language. Pure: equal sources and variables give equal text. */
interface TemplateEngine {

  /** File name endings that mean a template, whether its engine exists or not (7.3). */
  Set<String> EXTENSIONS = Set.of("j2", "jinja", "tera", "hbs", "handlebars", "trm", "trimmer");

  /** Without the dot. */
  Set<String> extensions();

  /** Every syntax error of one template; does not render it. */
  List<Problem> check(TemplateDirectory directory, String template);

  /**
   * Renders one template of the directory.
   *
   * @param variables sorted by key all the way down
   */
  String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed;

  static boolean isTemplate(String name) {
    return EXTENSIONS.contains(extension(name));
  }

  /** What follows the last dot of the file's name, in lower case; empty if nothing does. */
  static String extension(String name) {
    var file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return dot < 0 ? "" : file.substring(dot + 1).toLowerCase(Locale.ROOT);
  }
}
