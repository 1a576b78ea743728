package verwalter.render.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.model.json.Json;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.SortedVariables;

/**
 * {@code -Drender.fuzz.templates=100000 -Drender.fuzz.seed=1}: the number of templates of each
 * language, and the first seed; each template has its own seed, counted up. Every build tries the
 * same ones, so that it fails only because of a change; other seeds search for new failures.
 */
public abstract class TemplateFuzz {
  private static final Limits LIMITS =
      new Limits(1 << 20, 100, 20_000, 5_000, 8, 5_000, 1_000, 1_000);
  private static final List<String> NAMES =
      List.of(
          "x",
          "n",
          "yes",
          "nothing",
          "map.a",
          "x",
          "n",
          "x",
          "n",
          "list",
          "map",
          "maps",
          "maps.[0].k",
          "nope");

  private static final List<List<String>> BLOCKS =
      List.of(
          List.of("\n## if $\n", "\n## endif\n"),
          List.of("\n## for i in list\n", "\n## endfor\n"),
          List.of("\n## for k, v in map\n", "\n## endfor\n"),
          List.of("{{#if $}}", "{{/if}}"),
          List.of("{{#each list as |l|}}", "{{/each}}"),
          List.of("{{#with map}}", "{{/with}}"),
          List.of("{{#*inline \"t\"}}", "{{/inline}}"));

  private final TemplateLanguage language;
  private final String name;
  private final List<String> words;
  private final boolean byLines;

  /**
   * @param name the file name of a template
   * @param words the words of templates, first those that neither begin nor end a block
   * @param byLines whether blocks consist of lines that begin with {@code ##}
   */
  protected TemplateFuzz(
      TemplateLanguage language, String name, List<String> words, boolean byLines) {
    this.language = language;
    this.name = name;
    this.words = List.copyOf(words);
    this.byLines = byLines;
  }

  /** The beginning of every template. */
  protected String head(Random random) {
    return "";
  }

  /** Half of all templates have blocks that end; in the other half words follow in any order. */
  private String template(Random random) {
    var text = new StringBuilder(head(random));
    body(random, text, 4);
    for (int i = random.nextInt(4) - 2; i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      text.delete(at, Math.min(text.length(), at + random.nextInt(4)));
    }
    return text.toString();
  }

  private void body(Random random, StringBuilder text, int depth) {
    boolean orderly = random.nextBoolean();
    for (int i = random.nextInt(8); i >= 0; i--) {
      var block = BLOCKS.get(random.nextInt(BLOCKS.size()));
      if (orderly && depth > 0 && block.get(0).contains("##") == byLines) {
        text.append(filled(block.get(0), random));
        body(random, text, depth - 1);
        text.append(block.get(1));
      } else {
        text.append(filled(words.get(random.nextInt(orderly ? 6 : words.size())), random));
      }
    }
  }

  private static String filled(String word, Random random) {
    var text = word;
    while (text.contains("$")) {
      text = text.replaceFirst("\\$", NAMES.get(random.nextInt(NAMES.size())));
    }
    return text;
  }

  private static String outcome(TemplateEngine engine, TemplateDirectory directory, String name)
      throws Exception {
    var variables =
        Json.object(
            Json.parse(
                """
                {"x": "<x>", "n": 7, "list": [1, "b", null, [2]], "map": {"a": 1, "k": {"b": "c"}},
                 "maps": [{"k": 1}, {"k": 2}], "yes": true, "nothing": null}
                """));
    try {
      var text = engine.render(directory, name, SortedVariables.of(variables));
      assertThat(text.length()).isLessThanOrEqualTo(LIMITS.output());
      return text;
    } catch (RenderFailed e) {
      assertThat(e.problems())
          .isNotEmpty()
          .allSatisfy(each -> assertThat(each.text()).isNotEmpty());
      return "failed: " + e.getMessage();
    }
  }

  @Test
  void templateRendersDeterministicallyOrFailsWithProblems() throws Exception {
    long seed = Long.getLong("render.fuzz.seed", 1);
    int templates = Integer.getInteger("render.fuzz.templates", 8_000);
    var engine = language.engine(LIMITS);
    int rendered = 0;
    for (long each = seed; each < seed + templates; each++) {
      var text = template(new Random(each));
      var directory = new TemplateDirectory(new TreeMap<>(Map.of(name, text, "p.hbs", "p{{n}}")));
      try {
        var wrong = engine.check(directory, name);
        var first = outcome(engine, directory, name);
        assertThat(outcome(engine, directory, name)).isEqualTo(first);
        assertThat(outcome(language.engine(LIMITS), directory, name)).isEqualTo(first);
        if (wrong.isEmpty()) {
          assertThat(first).doesNotContain("expected", "has no `end");
        } else {
          assertThat(first).isEqualTo("failed: " + new RenderFailed(wrong).getMessage());
        }
        rendered += first.startsWith("failed: ") ? 0 : 1;
      } catch (Throwable e) {
        throw new AssertionError("-Drender.fuzz.seed=" + each + ":\n" + text, e);
      }
    }
    assertThat(rendered).as("templates that render at all").isGreaterThan(templates / 50);
    System.out.printf(
        "%d of %d random %s templates render%n", rendered, templates, language.name());
  }
}
