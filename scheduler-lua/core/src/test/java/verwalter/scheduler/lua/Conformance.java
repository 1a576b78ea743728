package verwalter.scheduler.lua;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The small programs in {@code conformance/}, and the output of PUC Lua 5.3 for each. */
public final class Conformance {
  private static final String RUN =
      """
      return {scheduler = function()
        local ok, problem = pcall(require, "program")
        if not ok then print("error: " .. tostring(problem)) end
        return "{}", ""
      end}
      """;

  /**
   * A program.
   *
   * @param name the topic and the subject
   * @param output the output of lua5.3, written by recheck.sh
   */
  public record Example(String name, String program, String output) {
    /** The output of an engine. */
    public String outputOf(LuaEngine engine, Path directory) throws Exception {
      return new Program(directory, engine)
          .file("program.lua", program)
          .main(RUN)
          .decide()
          .log()
          .strip();
    }
  }

  /** All programs, by topic. */
  public static List<Example> examples() {
    try (var files = Files.list(directory())) {
      var examples = new ArrayList<Example>();
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".lua"))
          .sorted()
          .forEach(name -> read(name.substring(0, name.length() - 4)).forEach(examples::add));
      return examples;
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  private static Stream<Example> read(String topic) {
    var outputs = parts(text(topic + ".out"));
    return parts(text(topic + ".lua")).entrySet().stream()
        .map(
            part ->
                new Example(
                    topic + ": " + part.getKey(),
                    part.getValue(),
                    outputs.getOrDefault(part.getKey(), "").strip()));
  }

  private static Map<String, String> parts(String text) {
    var parts = new LinkedHashMap<String, String>();
    for (var part : text.substring("--- ".length()).split("(?m)^--- ", -1)) {
      int end = part.indexOf('\n');
      if (parts.put(part.substring(0, end), part.substring(end + 1)) != null) {
        throw new IllegalStateException("two programs are called " + part.substring(0, end));
      }
    }
    return parts;
  }

  /** The text of a file in {@code conformance/}. */
  public static String text(String name) {
    try {
      return Files.readString(directory().resolve(name));
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  /** The directory; in the jar of tests, if another module uses that. */
  private static Path directory() throws IOException {
    var uri = resource("/conformance");
    if ("jar".equals(uri.getScheme())) {
      try {
        FileSystems.newFileSystem(uri, Map.of());
      } catch (FileSystemAlreadyExistsException open) {
        // by an earlier call
      }
    }
    return Path.of(uri);
  }

  private static URI resource(String name) {
    try {
      var found = Conformance.class.getResource(name);
      if (found == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return found.toURI();
    } catch (URISyntaxException problem) {
      throw new IllegalStateException(problem);
    }
  }

  private Conformance() {}
}
