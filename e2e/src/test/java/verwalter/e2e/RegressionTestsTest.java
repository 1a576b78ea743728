package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that each row of docs/bugs.md names an existing test and the command that runs it. */
class RegressionTestsTest {
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (.+?) \\| `(\\w+)(?:#(\\w+))?`(?: \\[[^\\]]+])?"
              + " \\| `(?:VERWALTER_SLOW_TESTS=1 )?\\./check -pl ([\\w/-]+) -am -Dtest=([\\w#]+)` \\|");

  private static List<String> rows() throws IOException {
    return Files.readAllLines(LaunchedAgent.HOME.resolve("docs/bugs.md")).stream()
        .filter(line -> line.startsWith("|"))
        .skip(2)
        .toList();
  }

  @Test
  void eachRowNamesATestThatExists() throws IOException {
    var wrong = new ArrayList<String>();
    for (var line : rows()) {
      var row = ROW.matcher(line);
      if (!row.matches()) {
        wrong.add("not of the form | bug | test | command |: " + line);
        continue;
      }
      var test = row.group(2) + (row.group(3) == null ? "" : "#" + row.group(3));
      if (!test.equals(row.group(5))) {
        wrong.add("the command does not run " + test);
      }
      if (!exists(row.group(4), row.group(2), row.group(3))) {
        wrong.add("there is no " + test + " in " + row.group(4));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void noRowIsDuplicated() throws IOException {
    var seen = new HashSet<String>();
    assertThat(rows()).isNotEmpty().allSatisfy(row -> assertThat(seen.add(row)).as(row).isTrue());
  }

  private static boolean exists(String module, String name, String method) throws IOException {
    try (var files = Files.walk(LaunchedAgent.HOME.resolve(module).resolve("src/test/java"))) {
      for (var file : files.filter(it -> it.endsWith(name + ".java")).toList()) {
        if (method == null || Files.readString(file).contains(" " + method + "(")) {
          return true;
        }
      }
    }
    return false;
  }
}
