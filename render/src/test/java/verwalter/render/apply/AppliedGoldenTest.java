package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.recipe.GoldenRenderings;
import verwalter.render.recipe.Renderer;

/**
 * Applies every {@code applied/NAME/in} to a copy of {@code before} and compares with {@code out}:
 * the tree in {@code tree}, and the log or error in {@code log}. The tree is the configuration
 * directory of its recipes. {@code MODES} in it lists modes of files; other files have 0644. {@code
 * -Dgolden.update} writes the expected results.
 */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class AppliedGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/applied");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  static Stream<String> names() throws IOException {
    try (var directories = Files.list(GOLDEN)) {
      return directories.map(each -> String.valueOf(each.getFileName())).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void treeEqualsExpectedTree(String name) throws Exception {
    var directory = GOLDEN.resolve(name);
    var root = temp.toRealPath().resolve("root");
    copy(directory.resolve("before"), root);
    var actual = new TreeMap<String, String>();
    actual.put("log", applied(directory, root));
    var tree = Trees.snapshot(root);
    tree.forEach(
        (file, text) -> {
          if (text.startsWith("-> ")) {
            actual.put("tree/" + file + ".link", text.substring(3) + "\n");
          } else {
            actual.put("tree/" + file, text.substring(5));
          }
        });
    actual.put("modes", modes(tree));
    if (System.getProperty("golden.update") != null) {
      GoldenRenderings.update(directory.resolve("out"), actual);
    }
    var expected = new TreeMap<String, String>();
    Trees.snapshot(directory.resolve("out"))
        .forEach((file, text) -> expected.put(file, text.substring("0644 ".length())));
    assertThat(actual).isEqualTo(expected);
  }

  /** The modes of the files whose mode is not 0644. */
  private static String modes(Map<String, String> tree) {
    var modes = new StringBuilder();
    tree.forEach(
        (file, text) -> {
          if (!text.startsWith("-> ") && !text.startsWith("0644 ")) {
            modes.append(text, 0, 4).append(' ').append(file).append('\n');
          }
        });
    return modes.toString();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    if (Files.exists(from)) {
      for (var file : Trees.snapshot(from).entrySet()) {
        Trees.mode(Trees.write(to, file.getKey(), file.getValue().substring(5)), 0644);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private String applied(Path directory, Path root) throws Exception {
    var variables = JSON.readValue(directory.resolve("vars.json").toFile(), Map.class);
    var role = String.valueOf(variables.get("role"));
    var programs = new LocalPrograms(Map.of(), Duration.ofSeconds(20), System::nanoTime);
    var application =
        new Application(
            temp.resolve("state"),
            programs,
            (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
    try {
      var rendered = new Renderer(root).render(directory.resolve("in"), role, variables);
      var first = application.apply(rendered, List.of());
      var second = application.apply(rendered, first.files());
      return neutral(first.log(), root)
          + "--- again, changed: "
          + second.changed()
          + "\n"
          + neutral(second.log(), root);
    } catch (ApplyFailed e) {
      return neutral(e.log(), root);
    } catch (RenderFailed e) {
      return e.getMessage() + "\n";
    }
  }

  private String neutral(String log, Path root) throws IOException {
    return log.replace(root.toString(), "ROOT")
        .replaceAll("\\S*/stage/", "STAGE/")
        .replaceAll("(?m)^(Condition: .*(?:un)?changed) .*$", "$1");
  }
}
