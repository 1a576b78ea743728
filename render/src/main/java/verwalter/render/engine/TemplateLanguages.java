package verwalter.render.engine;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The template languages by file extension: the installed ones, and those of Verwalter that are not
 * installed.
 */
public final class TemplateLanguages {
  /** The languages of the jar {@code render-legacy}, by extension. */
  private static final Map<String, String> LEGACY =
      Map.of("tera", "Tera", "trm", "Trimmer", "trimmer", "Trimmer");

  private static final Map<String, TemplateLanguage> INSTALLED = installed();

  private static Map<String, TemplateLanguage> installed() {
    var installed = new HashMap<String, TemplateLanguage>();
    for (var language : ServiceLoader.load(TemplateLanguage.class, loader())) {
      language.endings().forEach(ending -> installed.put(ending, language));
    }
    return installed;
  }

  private static @Nullable ClassLoader loader() {
    return TemplateLanguages.class.getClassLoader();
  }

  /** Whether the file name has the extension of a template, installed or not. */
  public static boolean isTemplate(String file) {
    return endings().contains(ending(file));
  }

  /** The language of a file by its extension; absent if it is not installed. */
  public static Optional<TemplateLanguage> of(String file) {
    return Optional.ofNullable(INSTALLED.get(ending(file)));
  }

  /** Why a template cannot be rendered; absent if its language is installed. */
  public static Optional<String> missing(String template) {
    var ending = ending(template);
    return INSTALLED.containsKey(ending)
        ? Optional.empty()
        : Optional.ofNullable(LEGACY.get(ending))
            .map(
                name ->
                    ("is a %s template, and the %s engine is not installed: the jar render-legacy"
                            + " is missing")
                        .formatted(name, name));
  }

  /** All extensions of templates, without the dot, installed or not. */
  public static Set<String> endings() {
    var endings = new TreeSet<>(INSTALLED.keySet());
    endings.addAll(LEGACY.keySet());
    return Collections.unmodifiableSet(endings);
  }

  private static String ending(String file) {
    var name = file.substring(file.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  private TemplateLanguages() {}
}
