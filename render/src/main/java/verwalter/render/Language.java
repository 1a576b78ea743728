package verwalter.render;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The template languages there are, each with its engine (verwalter.md 7.3). */
enum Language {
  JINJA(JinjaEngine::jinja, "j2", "jinja"),
  TERA(JinjaEngine::tera, "tera"),
  HANDLEBARS(HandlebarsEngine::new, "hbs", "handlebars"),
  TRIMMER(TrimmerEngine::new, "trm", "trimmer");

  private final Function<Limits, TemplateEngine> engine;
  private final List<String> endings;

  Language(Function<Limits, TemplateEngine> engine, String... endings) {
    this.engine = engine;
    this.endings = List.of(endings);
  }

  TemplateEngine engine(Limits limits) {
    return engine.apply(limits);
  }

  /** The language that a file's name tells by what follows its last dot. */
  static Optional<Language> of(String file) {
    var name = file.substring(file.lastIndexOf('/') + 1);
    var ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return name.indexOf('.') < 0
        ? Optional.empty()
        : Arrays.stream(values()).filter(each -> each.endings.contains(ending)).findFirst();
  }

  /** Every ending that means a template, without the dot. */
  static Set<String> endings() {
    return Arrays.stream(values())
        .flatMap(each -> each.endings.stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
