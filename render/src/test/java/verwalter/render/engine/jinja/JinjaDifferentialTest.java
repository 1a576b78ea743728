package verwalter.render.engine.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.render.RenderFailed;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.recipe.SortedVariables;

/**
 * Compares this Jinja with Python's. {@code expected.txt} has the output of Debian's python3-jinja2
 * for {@code cases.txt}; {@code differs.txt} lists every case with another output, with the reason.
 * A case that starts or ceases to differ fails.
 */
class JinjaDifferentialTest {
  private static final Path HOME = Path.of("src/test/resources/jinja");
  private static final Path SCRIPT = Path.of("src/test/jinja/recheck.py");
  private static final String PYTHON = "/usr/bin/python3";

  private static Map<String, String> lines(String text) {
    var lines = new LinkedHashMap<String, String>();
    text.lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              assertThat(colon).as(line).isPositive();
              var before = lines.put(line.substring(0, colon), line.substring(colon + 2));
              assertThat(before).as("two lines named as in: " + line).isNull();
            });
    return lines;
  }

  private static Map<String, String> file(String name) throws IOException {
    return lines(Files.readString(HOME.resolve(name)));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables() throws IOException {
    return SortedVariables.of(
        new ObjectMapper().readValue(HOME.resolve("variables.json").toFile(), Map.class));
  }

  private static SortedMap<String, String> library() throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(HOME.resolve("library"))) {
      for (var file : library.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }

  private static Map<String, String> ours() throws IOException {
    var engine = new JinjaEngine(Limits.DEFAULT);
    var results = new LinkedHashMap<String, String>();
    for (var test : file("cases.txt").entrySet()) {
      var files = library();
      files.put("t.j2", test.getValue().replace("\\n", "\n").replace("\\t", "\t"));
      var directory = new TemplateDirectory(files);
      var result = "!";
      try {
        if (engine.check(directory, "t.j2").isEmpty()) {
          var text = engine.render(directory, "t.j2", variables());
          result = text.replace("\\", "\\\\").replace("\n", "\\n");
        }
      } catch (RenderFailed e) {
        result = "!";
      }
      results.put(test.getKey(), result);
    }
    return results;
  }

  @Test
  void everyCaseRendersAsPythonsJinjaExceptListedOnes() throws Exception {
    var expected = file("expected.txt");
    var cases = file("cases.txt");
    assertThat(expected.keySet()).containsExactlyElementsOf(cases.keySet());
    assertThat(cases).hasSizeGreaterThanOrEqualTo(300);
    var different = new LinkedHashMap<String, String>();
    ours()
        .forEach(
            (name, ours) -> {
              if (!ours.equals(expected.get(name))) {
                different.put(
                    name, cases.get(name) + "\n  real " + expected.get(name) + "\n  ours " + ours);
              }
            });
    var listed = file("differs.txt");
    assertThat(listed.values()).allMatch(reason -> reason.length() > 10);
    var unlisted = new LinkedHashMap<>(different);
    unlisted.keySet().removeAll(listed.keySet());
    assertThat(unlisted.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue()))
        .as("cases that differ and are not in differs.txt")
        .isEmpty();
    listed.keySet().removeAll(different.keySet());
    assertThat(listed.keySet()).as("cases of differs.txt that agree").isEmpty();
  }

  @Test
  void pythonsJinjaPrintsStoredOutput() throws Exception {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no python3 on this machine");
    assumeTrue(run("-c", "import jinja2").isEmpty(), "no python3-jinja2 on this machine");
    assertThat(lines(run(SCRIPT.toString()))).isEqualTo(file("expected.txt"));
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(PYTHON);
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
