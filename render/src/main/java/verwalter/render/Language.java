package verwalter.render;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The template languages there are, each with its engine (verwalter.md 7.3). */
enum Language {
  JINJA,
  TERA,
  HANDLEBARS,
  TRIMMER;

  TemplateEngine engine(Limits limits) {
    return switch (this) {
      case JINJA -> new JinjaEngine(limits);
      case TERA -> new TeraEngine(limits);
      case HANDLEBARS -> new HandlebarsEngine(limits);
      case TRIMMER -> new TrimmerEngine(limits);
    };
  }

  private List<String> own() {
    return switch (this) {
      case JINJA -> List.of("j2", "jinja");
      case TERA -> List.of("tera");
      case HANDLEBARS -> List.of("hbs", "handlebars");
      case TRIMMER -> List.of("trm", "trimmer");
    };
  }

  /** The language that a file's name tells by what follows its last dot. */
  static Optional<Language> of(String file) {
    var name = file.substring(file.lastIndexOf('/') + 1);
    var ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return name.indexOf('.') < 0
        ? Optional.empty()
        : Arrays.stream(values()).filter(each -> each.own().contains(ending)).findFirst();
  }

  /** Every ending that means a template, without the dot. */
  static Set<String> endings() {
    return Arrays.stream(values())
        .flatMap(each -> each.own().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
