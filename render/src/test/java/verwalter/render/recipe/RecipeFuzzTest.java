package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.render.RenderFailed;
import verwalter.render.engine.TemplateDirectory;

/**
 * Parses nearly valid and invalid recipes. Parsing always ends soon, with a recipe or with errors
 * that have positions. {@code -Drecipe.fuzz.count} and {@code -Drecipe.fuzz.seed} choose the number
 * and the seed.
 */
class RecipeFuzzTest {
  private static final long SEED = Long.getLong("recipe.fuzz.seed", 1);
  private static final int COUNT = Integer.getInteger("recipe.fuzz.count", 10_000);

  private static final List<String> RECIPES =
      List.of(
          """
          templates:
            conf: conf.hbs
            list: ../list.j2
          _common: &common {src: "{{ files.conf }}", mode: 0o640}
          commands:
          - !Copy {<<: *common, dest: "/etc/{{ role }}/conf"}
          - !Cmd [echo, "{{ role }}", !*Unpack [a, b]]
          - !SplitText
            src: "{{ files.list }}"
            section: '^=== (.*)$'
            validate: '^[a-z]+$'
            dest: "/etc/{{ role }}/(*)/[a-z]?.conf"
          """,
          """
          commands:
          - !CleanFiles {pattern: "/etc/**/(*).conf", keep_list: /etc/keep}
          - !PeekLog "nginx/{{ role }}.log"
          - !Condition
            dirs-changed: [/etc, "{{ config_dir }}/x"]
            commands:
            - !Sh |
                echo {{ role }}
            - !RootCommand [lithos_switch, --master, x, "{{ role }}", /etc/file]
          """);

  private static final List<String> PIECES =
      List.of(
          "{{ role }}",
          "{{ files.conf }}",
          "{{",
          "}}",
          "!Copy",
          "!Condition",
          "!*Unpack",
          "!*Include",
          "&a",
          "*a",
          "<<: ",
          "- ",
          ": ",
          "[",
          "]",
          "{",
          "}",
          "'",
          "\"",
          "|\n",
          ">\n",
          "\n",
          "  ",
          "#",
          "---\n",
          "...\n",
          "~",
          "0o644",
          "0644",
          "\t",
          "%",
          "@",
          "(",
          ")",
          "(*)",
          "**",
          "[!",
          "..",
          "/",
          "_x: ",
          "? ",
          "\u0000",
          "\uFEFF",
          "\u2028",
          "\u0085",
          "é",
          "\uD83D\uDE00",
          "\uD83D",
          "\r",
          "\\",
          "commands:",
          "templates:",
          "dest: ",
          "&a [*a, *a]",
          "99999999999999999999");

  private static TemplateDirectory directory() {
    return new TemplateDirectory(new TreeMap<>(Map.of("sub/conf.hbs", "", "list.j2", "")));
  }

  private static String outcome(String text) {
    try {
      var recipe = Recipe.parse("sub/a.render.yaml", text, directory());
      return recipe.templates() + " " + recipe.commands().stream().map(Command::words).toList();
    } catch (RenderFailed e) {
      assertThat(e.problems())
          .isNotEmpty()
          .allSatisfy(
              problem -> {
                assertThat(problem.file()).isEqualTo("sub/a.render.yaml");
                assertThat(problem.line()).isPositive();
                assertThat(problem.column()).isPositive();
              });
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  @Timeout(600)
  void parsesRandomRecipeOrRefusesItWithPosition() {
    int read = 0;
    for (int i = 0; i < COUNT; i++) {
      var random = new Random(SEED + i);
      var text = random.nextInt(5) == 0 ? chaos(random) : mutated(random);
      try {
        var outcome = outcome(text);
        read += outcome.startsWith("{") ? 1 : 0;
        assertThat(outcome(text)).isEqualTo(outcome);
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        fail("seed %d: %s".formatted(SEED + i, text), e);
      }
    }
    assertThat(read).as("some are good").isBetween(COUNT / 100, COUNT);
  }

  private static String mutated(Random random) {
    var text = new StringBuilder(RECIPES.get(random.nextInt(RECIPES.size())));
    for (int changes = random.nextInt(6); changes >= 0; changes--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(1 << random.nextInt(6)));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, piece(random));
        case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, end));
        case 3 -> text.replace(at, end, piece(random));
        default -> text.insert(at, (char) (32 + random.nextInt(96)));
      }
    }
    return text.toString();
  }

  private static String chaos(Random random) {
    var text = new StringBuilder();
    for (int pieces = random.nextInt(1 << random.nextInt(10)); pieces >= 0; pieces--) {
      text.append(piece(random));
    }
    return text.toString();
  }

  private static String piece(Random random) {
    return PIECES.get(random.nextInt(PIECES.size()));
  }

  @Test
  @Timeout(60)
  void refusesOversizedRecipesSoon() {
    assertThat(outcome("[".repeat(200_000))).contains("is not YAML");
    assertThat(outcome("{a: ".repeat(60_000))).contains("is not YAML");
    assertThat(outcome("- ".repeat(100_000))).contains("is not YAML");
    assertThat(outcome("commands: [" + "!Sh a, ".repeat(30_000) + "]"))
        .contains("more than 20000 values");
    assertThat(outcome("x".repeat(300_000))).contains("more than 262144 characters");
    assertThat(outcome("x".repeat(260_000))).contains("a mapping is wanted here");
    assertThat(outcome("commands:\n" + "- !Sh '{{ x }}'\n".repeat(15_000)))
        .contains("unknown variable `x`")
        .contains("80 more");
    assertThat(
            outcome(
                "commands: [!CleanFiles {keep-list: /a, pattern: '/(" + "?a".repeat(51) + ")'}]"))
        .contains("has more than 50 wildcards");
    assertThat(outcome("commands: [!CleanFiles {keep-list: /a, pattern: '/(*a*b*c*)'}]"))
        .contains("has more than 3 stars in one part or group");
    assertThat(
            outcome(
                "commands: [!CleanFiles {keep-list: /a, pattern: '/(*)" + "a".repeat(5000) + "'}]"))
        .contains("is longer than 4096 characters");
  }

  @Test
  @Timeout(60)
  void parsesLargeRecipesSoon() {
    assertThat(outcome("commands: [!Sh '" + "{{ role }}".repeat(25_000) + "']")).startsWith("{");
    assertThat(outcome("commands: [!Sh '" + "{{".repeat(120_000) + "']")).startsWith("{");
    assertThat(outcome("commands: [!Sh '" + "{{ ".repeat(80_000) + "']")).startsWith("{");
    var templates = new StringBuilder("templates:\n");
    for (int i = 0; i < 5000; i++) {
      templates.append("  k").append(i).append(": conf.hbs\n");
    }
    assertThat(outcome(templates + "commands:\n" + "- !Sh '{{ files.k7 }}'\n".repeat(5000)))
        .startsWith("{");
  }

  @Test
  @Timeout(60)
  void matchesEveryNameSoon() throws Exception {
    var glob = Glob.parse("/(*a*a*a)/(*a*a*a)");
    var name = "a".repeat(254) + "b";
    assertThat(glob.capture("/" + "a".repeat(255) + "/" + name)).isEmpty();
    assertThat(glob.capture("/" + name + "/" + name)).isEmpty();
  }
}
