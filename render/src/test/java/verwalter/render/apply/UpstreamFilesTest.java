package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.engine.Upstream;
import verwalter.render.recipe.Renderer;

/**
 * {@code CleanFiles} and {@code SplitText} beside those of verwalter 0.13, with the libraries that
 * it uses for patterns: what succeeds there must leave the same files here. The answers to some
 * random cases are stored; see {@link verwalter.render.engine.UpstreamComparison} for the program,
 * and the options to try others and to record them.
 */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class UpstreamFilesTest {
  private static final Path STORED = Path.of("src/test/resources/upstream/files.jsonl");
  private static final int MOST_STORED = 300;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private static final List<String> DIRECTORIES =
      List.of("", "a/", "a/b/", "a/b/c/", "ab/", ".h/", "c/");
  private static final List<String> NAMES =
      List.of(
          "x", "y", "xy", "x.conf", "y.conf", ".x.conf", ".x", "a-x-b", "a-x-y-b", "a--b", "[x]",
          "x y");
  private static final List<String> ABOVE =
      List.of("a", "*", "**", "?", "[ac]", "[!a]", "a*", "(*)");
  private static final List<String> LAST =
      List.of(
          "(*)",
          "(*).conf",
          "x(*)",
          "(?)",
          "(x)*",
          "[xy](*)",
          "(*)y",
          "(x*)",
          "(*)*",
          "(??)",
          "(*)-(*)",
          "a-(*)-*");
  private static final List<String> UNGROUPED = List.of("*", "x", "*.conf", "?", "[xy]*", "[!x]");
  private static final List<String> DESTINATIONS =
      List.of("a/(*).conf", "a/x(*)", "a/(*)", "a/a-(*)-b", "a/b/(*).conf", "a/([a-z]*).conf");
  private static final List<String> LINES =
      List.of("=== x", "=== y", "=== xy", "=== z", "one", "two = 2", "", "  ", " === x");

  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  /** A directory, a command, and the directory that the command leaves. */
  record Case(Map<String, String> files, Map<String, String> command, Map<String, String> after) {}

  private static String one(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static Map<String, String> files(Random random) {
    var files = new TreeMap<String, String>();
    for (int i = random.nextInt(14); i >= 0; i--) {
      files.put(one(DIRECTORIES, random) + one(NAMES, random), "old " + i);
    }
    files.put("a/b/x.conf", "old");
    return files;
  }

  private static String lines(List<String> of, int most, Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      text.append(one(of, random)).append('\n');
    }
    return text.toString();
  }

  private static Map<String, String> command(Random random) {
    if (random.nextBoolean()) {
      return Map.of(
          "name",
          "split",
          "section",
          random.nextBoolean() ? "^=== (.*)$" : "=== (\\w+)",
          "validate",
          random.nextBoolean() ? ".*" : "^[a-z]$",
          "dest",
          one(DESTINATIONS, random),
          "text",
          lines(LINES, 8, random));
    }
    var pattern = new StringBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      pattern.append(one(ABOVE, random)).append('/');
    }
    pattern.append(one(pattern.indexOf("(") >= 0 ? UNGROUPED : LAST, random));
    var kept = List.of("x", "y", "xy", "", "a", ".x", "x.conf", "c", "-x-b");
    return Map.of("name", "clean", "pattern", pattern.toString(), "keep", lines(kept, 4, random));
  }

  private Map<String, String> ours(Case each) throws Exception {
    var root = temp.toRealPath().resolve("root");
    var recipes = temp.toRealPath().resolve("recipes");
    try {
      for (var file : each.files().entrySet()) {
        Trees.write(root.resolve("t"), file.getKey(), file.getValue());
      }
      boolean clean = "clean".equals(each.command().get("name"));
      Trees.write(
          recipes, "list.j2", clean ? each.command().get("keep") : each.command().get("text"));
      Trees.write(recipes, "a.render.yaml", recipe(each.command(), clean));
      var application =
          new Application(
              temp.resolve("state"),
              new LocalPrograms(Map.of(), Duration.ofSeconds(20), System::nanoTime),
              (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
      application.apply(new Renderer(root).render(recipes, "shop", Map.of()), List.of());
      var after = new TreeMap<String, String>();
      Trees.snapshot(root.resolve("t")).forEach((name, text) -> after.put(name, text.substring(5)));
      return after;
    } catch (ApplyFailed e) {
      return Map.of("refused", e.log());
    } catch (RenderFailed e) {
      return Map.of("refused", String.valueOf(e.getMessage()));
    } finally {
      for (var directory : List.of(root, recipes, temp.resolve("state"))) {
        if (Files.exists(directory)) {
          Trees.delete(directory);
        }
      }
    }
  }

  private static String recipe(Map<String, String> command, boolean clean) {
    var base = "{{ config_dir }}/t/";
    return clean
        ? """
          templates: {list: list.j2}
          commands:
          - !CleanFiles
            pattern: '%s%s'
            keep-list: '{{ files.list }}'
          """
            .formatted(base, command.get("pattern"))
        : """
          templates: {list: list.j2}
          commands:
          - !SplitText
            section: '%s'
            validate: '%s'
            dest: '%s%s'
          """
            .formatted(command.get("section"), command.get("validate"), base, command.get("dest"));
  }

  private void mustAgree(Iterable<Case> cases) throws Exception {
    var different = new ArrayList<String>();
    for (var each : cases) {
      var ours = ours(each);
      if (!ours.equals(each.after()) && different.size() < 10) {
        different.add(
            "%s%n  before   %s%n  upstream %s%n  here     %s"
                .formatted(each.command(), each.files(), each.after(), ours));
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  void storedCasesLeaveSameFilesAsUpstream() throws Exception {
    var cases = new ArrayList<Case>();
    for (var line : Files.readAllLines(STORED)) {
      cases.add(JSON.readValue(line, Case.class));
    }
    assertThat(cases).hasSize(MOST_STORED);
    mustAgree(cases);
  }

  @Test
  void randomCasesLeaveSameFilesAsUpstream() throws Exception {
    var program = System.getProperty("render.upstream");
    assumeTrue(program != null, "the engines of upstream are not at hand (-Drender.upstream)");
    var cases = new ArrayList<Case>();
    long seed = Long.getLong("render.fuzz.seed", 1);
    try (var upstream = new Upstream(program)) {
      for (long each = seed; each < seed + Integer.getInteger("render.fuzz.cases", 1_000); each++) {
        var random = new Random(each);
        var files = files(random);
        var command = command(random);
        var answer = upstream.answer(Map.of("engine", "files", "files", files, "command", command));
        if (answer.isPresent() && answer.get().has("files")) {
          var after =
              JSON.convertValue(
                  answer.get().get("files"), new TypeReference<Map<String, String>>() {});
          cases.add(new Case(files, command, after));
        }
      }
    }
    if (System.getProperty("render.record") != null) {
      store(cases);
    }
    mustAgree(cases);
  }

  private static void store(Iterable<Case> cases) throws IOException {
    var lines = new TreeSet<String>();
    for (var each : cases) {
      if (lines.size() < MOST_STORED && !each.files().equals(each.after())) {
        lines.add(JSON.writeValueAsString(each));
      }
    }
    Files.write(STORED, lines);
  }
}
