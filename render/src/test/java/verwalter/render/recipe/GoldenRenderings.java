package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;

/**
 * Renders every {@code golden/NAME/in} with {@code vars.json} and compares with {@code out}: a file
 * for each recipe and rendered name, the commands, or the errors. {@code -Dgolden.update} writes
 * the expected results.
 */
public abstract class GoldenRenderings {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final ObjectMapper JSON = new ObjectMapper();

  public static Stream<String> names() throws IOException {
    try (var directories = Files.list(GOLDEN)) {
      return directories.map(each -> each.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void outputEqualsExpectedOutput(String name) throws Exception {
    var directory = GOLDEN.resolve(name);
    var actual = rendered(directory);
    if (System.getProperty("golden.update") != null) {
      update(directory.resolve("out"), actual);
    }
    var expected = new TreeMap<String, String>();
    Trees.snapshot(directory.resolve("out"))
        .forEach((file, text) -> expected.put(file, text.substring("0644 ".length())));
    assertThat(actual).isEqualTo(expected);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> rendered(Path directory) throws IOException {
    var variables = JSON.readValue(directory.resolve("vars.json").toFile(), Map.class);
    var files = new TreeMap<String, String>();
    try {
      var role = String.valueOf(variables.get("role"));
      var rendered = new Renderer(Path.of("/")).render(directory.resolve("in"), role, variables);
      rendered
          .files()
          .forEach(
              (recipe, texts) -> texts.forEach((key, text) -> files.put(recipe + "/" + key, text)));
      files.put("commands", String.join("\n", rendered.commands()) + "\n");
    } catch (RenderFailed e) {
      files.put("errors", e.getMessage() + "\n");
    }
    return files;
  }

  public static void update(Path out, Map<String, String> files) throws IOException {
    if (Files.exists(out)) {
      Trees.delete(out);
    }
    for (var file : files.entrySet()) {
      Trees.write(out, file.getKey(), file.getValue());
    }
  }
}
