package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Our engines beside those of upstream: Tera 0.10.10, Trimmer 0.3.6 and Handlebars 0.26.2. What
 * renders there must render to the same text here. The answers of the real engines to some random
 * templates are stored. With the engines at hand, any number of others is tried:
 *
 * <pre>
 * cargo build --release --manifest-path render/src/test/upstream/Cargo.toml
 * mvn -pl render -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=UpstreamTest \
 *   -Drender.upstream=$PWD/render/src/test/upstream/target/release/upstream
 * </pre>
 *
 * <p>{@code -Drender.fuzz.templates=100000} tries more of them, {@code -Drender.fuzz.seed=5}
 * others, and {@code -Drender.record} stores answers anew.
 */
class UpstreamTest {
  private static final Path HOME = Path.of("src/test/resources/upstream");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STORED = 500;
  private static final int LONGEST_STORED = 500;
  private static final int DEPTH = 9;
  private static final int SHOWN = 10;

  /** A template, and what it gives upstream. */
  record Answer(String template, String text) {}

  private static Path stored(Language language) {
    return HOME.resolve(name(language) + ".jsonl");
  }

  private static String name(Language language) {
    return language.name().toLowerCase(Locale.ROOT);
  }

  private static String main(Language language) {
    return switch (language) {
      case TERA -> "t.tera";
      case TRIMMER -> "t.trm";
      default -> "t.hbs";
    };
  }

  /** A template and those it may use. */
  private static SortedMap<String, String> files(Language language, String template)
      throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(HOME.resolve("library"))) {
      for (var file : library.toList()) {
        var name = file.getFileName().toString();
        if (Language.of(name).filter(language::equals).isPresent()) {
          files.put(name, Files.readString(file));
        }
      }
    }
    files.put(main(language), template);
    return files;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables() throws IOException {
    return SortedVariables.of(JSON.readValue(HOME.resolve("variables.json").toFile(), Map.class));
  }

  private static String ours(
      TemplateEngine engine, Language language, String template, Map<String, Object> variables)
      throws IOException {
    var directory = new TemplateDirectory(files(language, template));
    try {
      var problems = engine.check(directory, main(language));
      if (!problems.isEmpty()) {
        throw new RenderFailed(problems);
      }
      return engine.render(directory, main(language), variables);
    } catch (RenderFailed e) {
      return "refused: " + e.getMessage();
    }
  }

  private static void mustAgree(Language language, Iterable<Answer> answers) throws IOException {
    var engine = language.engine(Limits.DEFAULT);
    var variables = variables();
    var different = new ArrayList<String>();
    for (var answer : answers) {
      var ours = ours(engine, language, answer.template(), variables);
      if (!ours.equals(answer.text()) && different.size() < SHOWN) {
        different.add(
            "%s\n--- upstream\n%s\n--- here\n%s".formatted(answer.template(), answer.text(), ours));
      }
    }
    assertThat(different).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"TERA", "TRIMMER", "HANDLEBARS"})
  void theStoredTemplatesRenderAsUpstream(Language language) throws Exception {
    var answers = new ArrayList<Answer>();
    for (var line : Files.readAllLines(stored(language))) {
      answers.add(JSON.readValue(line, Answer.class));
    }
    assertThat(answers).hasSize(STORED);
    mustAgree(language, answers);
  }

  @ParameterizedTest
  @EnumSource(names = {"TERA", "TRIMMER", "HANDLEBARS"})
  void randomTemplatesRenderAsUpstream(Language language) throws Exception {
    var program = System.getProperty("render.upstream");
    assumeTrue(program != null, "the engines of upstream are not at hand (-Drender.upstream)");
    var grammar = new Grammar(HOME.resolve(name(language) + ".grammar"));
    var variables = variables();
    var answers = new ArrayList<Answer>();
    long seed = Long.getLong("render.fuzz.seed", 1);
    int templates = Integer.getInteger("render.fuzz.templates", 5_000);
    try (var upstream = new Upstream(program)) {
      for (long each = seed; each < seed + templates; each++) {
        var template = grammar.text("template", new Random(each), DEPTH);
        upstream
            .rendered(name(language), files(language, template), main(language), variables)
            .ifPresent(text -> answers.add(new Answer(template, text)));
      }
    }
    System.out.printf(
        "%d of %d random %s templates render upstream%n", answers.size(), templates, language);
    if (System.getProperty("render.record") != null) {
      store(language, answers);
    }
    mustAgree(language, answers);
  }

  private static void store(Language language, Iterable<Answer> answers) throws IOException {
    var lines = new TreeSet<String>();
    for (var answer : answers) {
      var line = JSON.writeValueAsString(answer);
      if (lines.size() < STORED && line.length() <= LONGEST_STORED) {
        lines.add(line);
      }
    }
    Files.write(stored(language), lines);
  }
}
