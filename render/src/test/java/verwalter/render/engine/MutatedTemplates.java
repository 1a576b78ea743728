package verwalter.render.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.SortedVariables;

/**
 * Random templates: built from words of the language, and known ones with parts deleted, duplicated
 * and swapped. An engine must return a text within its limits or an error, and the same result
 * again. Every build tries the same ones; {@code -Dtemplate.fuzz.seed=2
 * -Dtemplate.fuzz.templates=1000000} tries others.
 */
public abstract class MutatedTemplates {
  private static final Path RESOURCES = Path.of("src/test/resources");
  private static final Limits LIMITS =
      new Limits(1 << 20, 100, 20_000, 20_000, 10, 5_000, 500, 200);
  private static final Pattern WORD =
      Pattern.compile("\\{[{%#]-?|-?[}%#]\\}|\\w+|\"[^\"]*\"|'[^']*'|\\s+|::|[=!<>]=|.");
  private static final List<String> GLUE =
      List.of(
          " ",
          "{{ ",
          " }}",
          "{% ",
          " %}",
          "(",
          ")",
          "[",
          "]",
          "|",
          ".",
          ",",
          "=",
          "\"",
          "'",
          "-",
          "{#",
          "#}",
          "{% if yes %}",
          "{% endif %}",
          "{% for x in list %}",
          "{% endfor %}",
          "0",
          "99999999999",
          "-1",
          "é",
          "\n",
          "{% raw %}",
          "{% endraw %}",
          "{% include \"t.");

  private final String home;
  private final String name;
  private final Function<String, String> templateOf;
  private final TemplateEngine engine;

  /**
   * @param home a directory of the resources with cases, variables and a library
   * @param name the file name of a template
   * @param templateOf extracts the template of a case
   */
  protected MutatedTemplates(
      String home,
      String name,
      Function<String, String> templateOf,
      Function<Limits, TemplateEngine> engine) {
    this.home = home;
    this.name = name;
    this.templateOf = templateOf;
    this.engine = engine.apply(LIMITS);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables(String home) throws IOException {
    return SortedVariables.of(
        new ObjectMapper()
            .readValue(RESOURCES.resolve(home).resolve("variables.json").toFile(), Map.class));
  }

  private static SortedMap<String, String> library(String home) throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(RESOURCES.resolve(home).resolve("library"))) {
      for (var file : library.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }

  private List<String> known() throws IOException {
    var known = new ArrayList<String>();
    for (var line : Files.readAllLines(RESOURCES.resolve(home).resolve("cases.txt"))) {
      if (!line.startsWith("#") && !line.isBlank()) {
        known.add(templateOf.apply(line).replace("\\n", "\n"));
      }
    }
    return known;
  }

  @Test
  @Timeout(600) // a guard against a template that does not terminate, not a measurement
  void randomTemplateIsRenderedOrRefused() throws Exception {
    long seed = Long.getLong("template.fuzz.seed", 1);
    int count = Integer.getInteger("template.fuzz.templates", 30_000);
    System.out.printf("%d random %s templates from -Dtemplate.fuzz.seed=%d%n", count, home, seed);
    var known = known();
    var words = known.stream().flatMap(each -> words(each).stream()).toList();
    var variables = variables(home);
    var library = library(home);
    int rendered = 0;
    for (int i = 0; i < count; i++) {
      var random = new Random(seed + i);
      var template = random.nextInt(4) == 0 ? made(words, random) : mutated(known, words, random);
      var files = new TreeMap<>(library);
      files.put(name, template);
      var directory = new TemplateDirectory(files);
      var result = result(engine, directory, name, variables, seed + i);
      assertThat(result(engine, directory, name, variables, seed + i))
          .as("the second rendering of seed %d: %s", seed + i, template)
          .isEqualTo(result);
      rendered += result.startsWith("!") ? 0 : 1;
    }
    System.out.printf("%d of them rendered%n", rendered);
    assertThat(rendered).isBetween(count / 50, count);
  }

  private static String result(
      TemplateEngine engine,
      TemplateDirectory directory,
      String name,
      Map<String, Object> variables,
      long seed) {
    try {
      var problems = engine.check(directory, name);
      if (!problems.isEmpty()) {
        return "!" + problems;
      }
      var text = engine.render(directory, name, variables);
      assertThat(text.length()).isLessThanOrEqualTo(LIMITS.output());
      return " " + text;
    } catch (RenderFailed e) {
      assertThat(e.problems()).isNotEmpty();
      return "!" + e.getMessage();
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed " + seed + ": " + directory.files().get(name), e);
    }
  }

  private static List<String> words(String template) {
    return WORD.matcher(template).results().map(match -> match.group()).toList();
  }

  private static String made(List<String> words, Random random) {
    var template = new StringBuilder();
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      boolean output = random.nextInt(3) > 0;
      template.append(output ? "{{ " : "{% ");
      for (int j = random.nextInt(8); j >= 0; j--) {
        template.append(one(words, random)).append(random.nextBoolean() ? " " : "");
      }
      template.append(output ? " }}" : " %}");
    }
    return template.toString();
  }

  private static String mutated(List<String> known, List<String> words, Random random) {
    var pieces = new ArrayList<>(words(one(known, random)));
    for (int i = random.nextInt(2); i > 0; i--) {
      pieces.addAll(words(one(known, random)));
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(pieces.size());
      switch (random.nextInt(5)) {
        case 0 -> pieces.set(at, one(GLUE, random));
        case 1 -> pieces.add(at, one(words, random));
        case 2 -> pieces.set(at, one(words, random));
        case 3 -> pieces.set(at, pieces.get(at).repeat(1 + random.nextInt(40)));
        default -> pieces.set(at, "");
      }
    }
    return String.join("", pieces);
  }

  private static String one(List<String> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }
}
