package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.json.Json;

/**
 * {@code -Drender.fuzz.templates=100000 -Drender.fuzz.seed=1}: how many templates of each language
 * to try, and where to start; each has a seed of its own, counted up from there. Every build tries
 * the same ones, so that it fails for what was changed; another seed looks for what is new.
 */
class TemplateFuzzTest {
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

  private static final Map<Language, List<String>> WORDS =
      Map.of(
          Language.TRIMMER,
          List.of(
              "text ",
              "\n",
              "  ",
              "{{ $ }}",
              "{{- $ +}}",
              "{{ $ | h }}",
              "{{ $ and not $ or $ }}",
              "{{ $ + 1 * 2 }}",
              "{{ $ == $ }}",
              "{{ [$, {'a': $}][0] }}",
              "{# c #}",
              "{{",
              "}}",
              " ### c\n",
              " ##\n",
              "\n## if $\n",
              "\n  ## elif $\n",
              "\n## else\n",
              "\n## endif\n",
              "\n## for i in $\n",
              "\n    ## for k, v in $\n",
              "\n## skip if $\n",
              "\n## endfor\n",
              "\n## let x = $\n",
              "##",
              "|",
              "'",
              "\\",
              "[",
              ")",
              ".",
              "𝄞",
              "\r\n",
              "\t"),
          Language.HANDLEBARS,
          List.of(
              "text ",
              "\n",
              "  ",
              "{{$}}",
              "{{{$}}}",
              "{{~$~}}",
              "{{this}}",
              "{{../$}}",
              "{{@key}}",
              "{{escape $}}",
              "{{lookup $ $}}",
              "{{#if $}}",
              "{{else}}",
              "{{/if}}",
              "{{#each $}}",
              "{{/each}}",
              "{{#each $ as |a b|}}",
              "{{#with $}}",
              "{{/with}}",
              "{{#unless $}}",
              "{{/unless}}",
              "{{! c }}",
              "{{{{raw}}}}",
              "{{{{/raw}}}}",
              "{{> t}}",
              "{{> p.hbs}}",
              "{{#*inline \"t\"}}",
              "{{/inline}}",
              "{{#$}}",
              "{{/$}}",
              "{{^",
              "}}",
              "\\",
              "\"",
              "𝄞",
              "(",
              "[",
              "|"));

  private static final List<List<String>> BLOCKS =
      List.of(
          List.of("\n## if $\n", "\n## endif\n"),
          List.of("\n## for i in list\n", "\n## endfor\n"),
          List.of("\n## for k, v in map\n", "\n## endfor\n"),
          List.of("{{#if $}}", "{{/if}}"),
          List.of("{{#each list as |l|}}", "{{/each}}"),
          List.of("{{#with map}}", "{{/with}}"),
          List.of("{{#*inline \"t\"}}", "{{/inline}}"));

  /** Half of all templates have blocks that end; in the other half anything follows anything. */
  private static String template(Language language, Random random) {
    var text = new StringBuilder();
    if (language == Language.TRIMMER) {
      var headers =
          List.of("", "## syntax: indent\n", "## syntax: oneline\n", "## validate h: x*\n");
      text.append(headers.get(random.nextInt(headers.size())));
      text.append("## filter h: builtin.html_entities\n".repeat(random.nextInt(2)));
    }
    body(language, random, text, 4);
    for (int i = random.nextInt(4) - 2; i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      text.delete(at, Math.min(text.length(), at + random.nextInt(4)));
    }
    return text.toString();
  }

  private static void body(Language language, Random random, StringBuilder text, int depth) {
    boolean orderly = random.nextBoolean();
    var words = WORDS.getOrDefault(language, List.of());
    for (int i = random.nextInt(8); i >= 0; i--) {
      var block = BLOCKS.get(random.nextInt(BLOCKS.size()));
      if (orderly && depth > 0 && block.get(0).contains("##") == (language == Language.TRIMMER)) {
        text.append(filled(block.get(0), random));
        body(language, random, text, depth - 1);
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

  @ParameterizedTest
  @EnumSource(names = {"TRIMMER", "HANDLEBARS"})
  void aTemplateRendersAsBeforeOrFailsWithProblems(Language language) throws Exception {
    long seed = Long.getLong("render.fuzz.seed", 1);
    int templates = Integer.getInteger("render.fuzz.templates", 8_000);
    var name = language == Language.TRIMMER ? "t.trm" : "t.hbs";
    var engine = language.engine(LIMITS);
    int rendered = 0;
    for (long each = seed; each < seed + templates; each++) {
      var text = template(language, new Random(each));
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
    System.out.printf("%d of %d random %s templates render%n", rendered, templates, language);
  }
}
