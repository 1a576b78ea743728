package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedsTest {
  private static List<String> list(String words) {
    return words == null ? List.of() : Arrays.asList(words.split(" "));
  }

  /** {@code others} is {@code role>need role>need}. */
  @ParameterizedTest(name = "web needs {0}, others {1}, done {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-     | -             | -     | -",
        "db    | -             | db    | -",
        "db    | -             | -     | waits for role db, which it needs and which is not done yet",
        "db c  | -             | db    | waits for role c, which it needs and which this node does not have",
        "web   | -             | web   | cycle: web -> web;",
        "db    | db>web        | db    | cycle: web -> db -> web;",
        "a db  | db>c c>web    | a db  | cycle: web -> db -> c -> web;",
        "db    | db>c c>db     | db    | -",
        "db    | a>web         | db    | -",
      })
  void aRoleWaitsForItsNeedsUnlessTheyFormACycle(
      String needs, String others, String done, String obstacle) {
    var known = new HashMap<String, List<String>>();
    for (var other : list(others)) {
      int sign = other.indexOf('>');
      known.put(other.substring(0, sign), List.of(other.substring(sign + 1)));
    }
    var picture = new Needs(Set.copyOf(list(done)), Set.of("web", "db", "a"), known);

    var found = picture.obstacle("web", list(needs));

    assertThat(found.isPresent()).isEqualTo(obstacle != null);
    if (obstacle != null) {
      assertThat(found.get().text()).contains(obstacle);
      assertThat(found.get().cycle()).isEqualTo(obstacle.startsWith("cycle"));
    }
  }
}
