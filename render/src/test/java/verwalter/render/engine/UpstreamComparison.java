package verwalter.render.engine;

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
import org.junit.jupiter.api.Test;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.SortedVariables;

/**
 * An engine beside that of verwalter 0.13: Tera 0.10.10, Trimmer 0.3.6 or Handlebars 0.26.2. What
 * renders there must render to the same text here. The answers of the real engine to some random
 * templates are stored. With the engines at hand, any number of others is tried:
 *
 * <pre>
 * cargo build --release --manifest-path render/src/test/upstream/Cargo.toml
 * mvn -pl render,render/legacy -am test -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Dtest='Upstream*Test' \
 *   -Drender.upstream=$PWD/render/src/test/upstream/target/release/upstream
 * </pre>
 *
 * <p>{@code -Drender.fuzz.templates=100000} tries more of them, {@code -Drender.fuzz.seed=5}
 * others, and {@code -Drender.record} records the answers.
 */
public abstract class UpstreamComparison {
  private static final Path HOME = Path.of("src/test/resources/upstream");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STORED = 500;
  private static final int LONGEST_STORED = 500;
  private static final int DEPTH = 9;
  private static final int SHOWN = 10;

  private final TemplateLanguage language;
  private final String name;
  private final String main;

  /**
   * @param main the name of every random template
   */
  protected UpstreamComparison(TemplateLanguage language, String main) {
    this.language = language;
    this.name = language.name().toLowerCase(Locale.ROOT);
    this.main = main;
  }

  /** A template and its output upstream. */
  record Answer(String template, String text) {}

  private Path stored() {
    return HOME.resolve(name + ".jsonl");
  }

  /** A template and those it may use. */
  private SortedMap<String, String> files(String template) throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(HOME.resolve("library"))) {
      for (var file : library.toList()) {
        var name = file.getFileName().toString();
        if (language.endings().contains(name.substring(name.indexOf('.') + 1))) {
          files.put(name, Files.readString(file));
        }
      }
    }
    files.put(main, template);
    return files;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables() throws IOException {
    return SortedVariables.of(JSON.readValue(HOME.resolve("variables.json").toFile(), Map.class));
  }

  private String ours(TemplateEngine engine, String template, Map<String, Object> variables)
      throws IOException {
    var directory = new TemplateDirectory(files(template));
    try {
      var problems = engine.check(directory, main);
      if (!problems.isEmpty()) {
        throw new RenderFailed(problems);
      }
      return engine.render(directory, main, variables);
    } catch (RenderFailed e) {
      return "refused: " + e.getMessage();
    }
  }

  private void mustAgree(Iterable<Answer> answers) throws IOException {
    var engine = language.engine(Limits.DEFAULT);
    var variables = variables();
    var different = new ArrayList<String>();
    for (var answer : answers) {
      var ours = ours(engine, answer.template(), variables);
      if (!ours.equals(answer.text()) && different.size() < SHOWN) {
        different.add(
            "%s\n--- upstream\n%s\n--- here\n%s".formatted(answer.template(), answer.text(), ours));
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  void storedTemplatesRenderAsUpstream() throws Exception {
    var answers = new ArrayList<Answer>();
    for (var line : Files.readAllLines(stored())) {
      answers.add(JSON.readValue(line, Answer.class));
    }
    assertThat(answers).hasSize(STORED);
    mustAgree(answers);
  }

  @Test
  void randomTemplatesRenderAsUpstream() throws Exception {
    var program = System.getProperty("render.upstream");
    assumeTrue(program != null, "the engines of upstream are not at hand (-Drender.upstream)");
    var grammar = new Grammar(HOME.resolve(name + ".grammar"));
    var variables = variables();
    var answers = new ArrayList<Answer>();
    long seed = Long.getLong("render.fuzz.seed", 1);
    int templates = Integer.getInteger("render.fuzz.templates", 5_000);
    try (var upstream = new Upstream(program)) {
      for (long each = seed; each < seed + templates; each++) {
        var template = grammar.text("template", new Random(each), DEPTH);
        upstream
            .rendered(name, files(template), main, variables)
            .ifPresent(text -> answers.add(new Answer(template, text)));
      }
    }
    System.out.printf(
        "%d of %d random %s templates render upstream%n",
        answers.size(), templates, language.name());
    if (System.getProperty("render.record") != null) {
      store(answers);
    }
    mustAgree(answers);
  }

  private void store(Iterable<Answer> answers) throws IOException {
    var lines = new TreeSet<String>();
    for (var answer : answers) {
      var line = JSON.writeValueAsString(answer);
      if (lines.size() < STORED && line.length() <= LONGEST_STORED) {
        lines.add(line);
      }
    }
    Files.write(stored(), lines);
  }
}
