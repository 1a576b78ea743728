package verwalter.render.engine.handlebars;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.Template;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguages;

/**
 * Renders Handlebars templates. Values are printed raw, since the output is configuration and not
 * HTML, which is a deliberate difference from upstream. Strict: printing an undefined name is an
 * error. Partials are other templates of the directory, by path.
 */
final class HandlebarsEngine implements TemplateEngine {
  private static final int DIRECTORIES = 200;
  private static final Pattern COMMENT = Pattern.compile("\\{\\{!--.*?--~?\\}\\}", Pattern.DOTALL);
  private static final Pattern RAW =
      Pattern.compile(
          "\\{\\{\\{\\{\\s*raw\\s*\\}\\}\\}\\}(.*?)\\{\\{\\{\\{/\\s*raw\\s*\\}\\}\\}\\}",
          Pattern.DOTALL);
  private static final Pattern LONELY =
      Pattern.compile("\\{\\{~?#(if|unless|each|with)\\s*~?\\}\\}");
  private static final Pattern MISSING =
      Pattern.compile("The partial '.*' at '(there is no .*)' could not be found", Pattern.DOTALL);
  private static final Pattern BLOCK =
      Pattern.compile("\\{\\{~?#([\\w-]+)\\s+(?!as\\s*\\|)[^}\\s]");

  /** Separates a {@code ~} from the white space behind it. */
  private static final String EDGE = "{{!}}";

  private final Limits limits;

  /** Compiled templates by a hash of the whole directory, since each may include any other. */
  private final Cache<String, Compiled> compiled =
      Caffeine.newBuilder().maximumSize(DIRECTORIES).build();

  /** The templates of one directory, and the errors of those that do not compile. */
  private record Compiled(Map<String, Template> templates, Map<String, RenderProblem> problems) {}

  HandlebarsEngine(Limits limits) {
    this.limits = limits;
  }

  @Override
  public List<RenderProblem> check(TemplateDirectory directory, String template) {
    var problem = compiled(directory).problems().get(template);
    return problem == null ? List.of() : List.of(problem);
  }

  private Compiled compiled(TemplateDirectory directory) {
    var sources = new TreeMap<String, String>();
    var digest = new StringBuilder();
    directory
        .files()
        .forEach(
            (name, text) -> {
              if (TemplateLanguages.of(name)
                  .filter(HandlebarsLanguage.class::isInstance)
                  .isPresent()) {
                sources.put(name, withoutRaw(text));
                digest.append(name).append('\0').append(Text.sha256(Text.bytes(text))).append('\0');
              }
            });
    return compiled.get(Text.sha256(Text.bytes(digest.toString())), key -> compile(sources));
  }

  private Compiled compile(SortedMap<String, String> sources) {
    var handlebars = handlebars(sources);
    var templates = new TreeMap<String, Template>();
    var problems = new TreeMap<String, RenderProblem>();
    for (var name : sources.keySet()) {
      try {
        templates.put(name, handlebars.compile(name));
        misused(name, String.valueOf(sources.get(name)))
            .ifPresent(problem -> problems.put(name, problem));
      } catch (HandlebarsException e) {
        problems.put(name, problem(name, e));
      } catch (StackOverflowError e) {
        problems.put(name, RenderProblem.of(name, "is nested too deeply"));
      } catch (IOException e) {
        problems.put(name, RenderProblem.of(name, String.valueOf(e.getMessage())));
      }
    }
    return new Compiled(templates, problems);
  }

  /** The library parses the content of a raw block as a template, so tags stand for its braces. */
  private static String withoutRaw(String text) {
    return RAW.matcher(text)
        .replaceAll(
            block ->
                Matcher.quoteReplacement(
                    EDGE
                        + block.group(1).replace("{{", "{{" + HandlebarsVocabulary.BRACES + "}}")
                        + EDGE));
  }

  /**
   * The library treats a block with an unknown helper as a section and prints nothing, and one
   * without a value as a section of the whole context.
   */
  private static Optional<RenderProblem> misused(String name, String text) {
    var code =
        COMMENT.matcher(text).replaceAll(comment -> comment.group().replaceAll("[^\n]", " "));
    var unknown =
        BLOCK
            .matcher(code)
            .results()
            .filter(block -> !HandlebarsVocabulary.KNOWN.contains(block.group(1)))
            .map(block -> at(name, code, block, HandlebarsVocabulary.unknown(block.group(1))));
    var lonely =
        LONELY
            .matcher(code)
            .results()
            .map(block -> at(name, code, block, "`" + block.group(1) + "` takes a value"));
    return Stream.concat(unknown, lonely).min(Comparator.comparingInt(RenderProblem::line));
  }

  private static RenderProblem at(String name, String code, MatchResult block, String text) {
    var before = code.substring(0, block.start());
    int line = 1 + (int) before.chars().filter(letter -> letter == '\n').count();
    return new RenderProblem(name, line, before.length() - before.lastIndexOf('\n') + 2, text);
  }

  private static Handlebars handlebars(SortedMap<String, String> sources) {
    var handlebars =
        new Handlebars(new MemoryLoader(sources))
            .with(new EmptyRegistry())
            .with(new CountedPartials())
            .with(EscapingStrategy.NOOP)
            .prettyPrint(false)
            .parentScopeResolution(false);
    HandlebarsVocabulary.register(handlebars);
    return handlebars.with((value, next) -> ValueFormatter.format(value));
  }

  @Override
  public String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed {
    var compiled = compiled(directory);
    var problem = compiled.problems().get(template);
    var code = compiled.templates().get(template);
    if (problem != null || code == null) {
      throw new RenderFailed(
          problem != null ? problem : RenderProblem.of(template, "there is no such template"));
    }
    var context = Context.newBuilder(withoutNulls(variables)).resolver(QuotedKeys.INSTANCE).build();
    new RenderState(limits).begin(context);
    var output = new LimitedWriter(limits.output());
    try {
      code.apply(context, output);
      return output.toString();
    } catch (HandlebarsException e) {
      throw new RenderFailed(problem(template, e));
    } catch (StackOverflowError e) {
      throw new RenderFailed(RenderProblem.of(template, "is nested too deeply"));
    } catch (IOException | RuntimeException e) {
      throw new RenderFailed(RenderProblem.of(template, String.valueOf(e.getMessage())));
    } finally {
      context.destroy();
    }
  }

  /**
   * Null and the empty text print the same and are both false, but only null counts as undefined.
   */
  private static Object withoutNulls(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      var copy = new LinkedHashMap<Object, Object>();
      map.forEach((key, each) -> copy.put(key, withoutNulls(each)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(HandlebarsEngine::withoutNulls).toList();
    }
    return value == null ? "" : value;
  }

  private static RenderProblem problem(String template, HandlebarsException e) {
    var error = e.getError();
    var cause = e.getCause();
    if (error == null) {
      return RenderProblem.of(template, String.valueOf((cause == null ? e : cause).getMessage()));
    }
    var reason = cause instanceof RuntimeException ? cause.getMessage() : error.reason;
    var text = String.valueOf(reason);
    var missing = MISSING.matcher(text);
    return new RenderProblem(
        error.filename, error.line, error.column, missing.matches() ? missing.group(1) : text);
  }
}
