package verwalter.scheduler.lua;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs the programs in {@code conformance/} and compares what they print with real Lua 5.3. */
public final class Conformance {
  /** The programs; recheck.sh wrote their expected output. */
  public static Stream<String> programs() {
    return Stream.of("base", "strings", "tables", "jsons");
  }

  /** The lines that differ, as {@code -expected} and {@code +actual}. */
  public static List<String> differences(Path directory, LuaEngine engine, String name)
      throws Exception {
    var program =
        new Program(directory, engine)
            .file(name + ".lua", text(name + ".lua"))
            .body("VERWALTER = true require '" + name + "' return '{}', ''");
    var actual = program.decide().log().split("\n", -1);
    var expected = text(name + ".out").split("\n", -1);
    var differences = new ArrayList<String>();
    for (int i = 0; i < Math.max(expected.length, actual.length); i++) {
      var wanted = i < expected.length ? expected[i] : "<nothing>";
      var got = i < actual.length ? actual[i] : "<nothing>";
      if (!wanted.equals(got)) {
        differences.add("-" + wanted);
        differences.add("+" + got);
      }
    }
    return differences;
  }

  public static String text(String name) {
    try (var in = Conformance.class.getResourceAsStream("/conformance/" + name)) {
      return in == null
          ? ""
          : new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  private Conformance() {}
}
