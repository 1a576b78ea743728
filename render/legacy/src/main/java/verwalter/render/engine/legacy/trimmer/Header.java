package verwalter.render.engine.legacy.trimmer;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directives at the start of a template: its syntax, validators and filters. Empty lines, and
 * lines that begin with {@code #}, may be between them and are text.
 */
final class Header {
  static final Set<String> DIRECTIVES = Set.of("syntax", "validate", "filter");
  private static final String DEFAULT = "default";
  private static final Pattern STATEMENT = Pattern.compile("##[ \\t]*+(\\w++).*+");
  private static final Pattern SYNTAX = Pattern.compile("##[ \\t]*+syntax:[ \\t]*+(\\w++)");
  private static final Pattern VALIDATE =
      Pattern.compile("##[ \\t]*+validate[ \\t]++(\\w++)[ \\t]*+:[ \\t]*+(.*+)");
  private static final Pattern FILTER =
      Pattern.compile("##[ \\t]*+filter[ \\t]++(\\w++)[ \\t]*+:[ \\t]*+([\\w.]++)");

  private final Set<Integer> lines = new HashSet<>();
  private final Map<String, TrimmerFilter> filters = new HashMap<>();
  private final NameSuggestions suggestions;
  private Optional<Syntax> syntax = Optional.empty();

  private Header(NameSuggestions suggestions) {
    this.suggestions = suggestions;
  }

  static Header read(TrimmerSource source, NameSuggestions suggestions, ErrorCollector errors) {
    var header = new Header(suggestions);
    for (int at = 0; at < source.length() && !errors.areMany(); at = source.nextLine(at)) {
      var line = source.text().substring(at, source.endOfLine(at));
      var statement = STATEMENT.matcher(line.strip());
      if (statement.matches() && DIRECTIVES.contains(statement.group(1)) && line.startsWith("#")) {
        header.lines.add(at);
        try {
          header.directive(at, statement.group(1), line);
        } catch (FailureAt e) {
          errors.add(e);
        }
      } else if (statement.matches() || !(line.isBlank() || line.startsWith("#"))) {
        break;
      }
    }
    return header;
  }

  private void directive(int at, String word, String line) {
    int comment = line.indexOf(" #", 2);
    var text = (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
    switch (word) {
      case "syntax" -> syntax(at, parsed(at, SYNTAX, text, "## syntax: indent"));
      case "validate" -> {
        var parts = parsed(at, VALIDATE, text, "## validate NAME: REGEX");
        var name = parts.group(1);
        name(at, name, () -> TrimmerFilter.Validator.of(at, name, parts.group(2)));
      }
      default -> {
        var parts = parsed(at, FILTER, text, "## filter NAME: builtin.html_entities");
        name(at, parts.group(1), () -> builtin(at, parts.group(2)));
      }
    }
  }

  private static Matcher parsed(int at, Pattern pattern, String text, String example) {
    var matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new FailureAt(at, "this directive is not written like `" + example + "`");
    }
    return matcher;
  }

  private void syntax(int at, Matcher parts) {
    var name = parts.group(1);
    if (syntax.isPresent()) {
      throw new FailureAt(at, "the syntax is said twice");
    }
    if (!Syntax.names().contains(name)) {
      throw unknown(at, "syntax", name, Syntax.names());
    }
    syntax = Optional.of(Syntax.valueOf(name.toUpperCase(Locale.ROOT)));
  }

  private TrimmerFilter builtin(int at, String name) {
    var filter = TrimmerFilter.BUILTIN.get(name);
    if (filter == null) {
      throw unknown(at, "filter", name, TrimmerFilter.BUILTIN.keySet());
    }
    return filter;
  }

  /**
   * Registers the name even if its definition is invalid, so that its uses are not reported as
   * well.
   */
  private void name(int at, String name, Supplier<TrimmerFilter> filter) {
    if (filters.putIfAbsent(name, new TrimmerFilter.ShellArgument()) != null) {
      throw new FailureAt(at, "there are two validators or filters `" + name + "`");
    }
    filters.put(name, filter.get());
  }

  private FailureAt unknown(int at, String what, String name, Collection<String> known) {
    return new FailureAt(
        at,
        "there is no "
            + what
            + " `"
            + name
            + "`; there are "
            + String.join(", ", List.copyOf(new TreeSet<>(known)))
            + suggestions.suggest(name, known));
  }

  Syntax syntax() {
    return syntax.orElse(Syntax.PLAIN);
  }

  /** Whether a directive starts here. */
  boolean has(int line) {
    return lines.contains(line);
  }

  /** The filter of outputs that name no other. */
  Optional<TrimmerFilter> standard() {
    return Optional.ofNullable(filters.get(DEFAULT));
  }

  TrimmerFilter filter(int at, String name) {
    var filter = filters.get(name);
    if (filter == null) {
      throw new FailureAt(
          at,
          "there is no validator or filter `"
              + name
              + "`"
              + suggestions.suggest(name, filters.keySet()));
    }
    return filter;
  }
}
