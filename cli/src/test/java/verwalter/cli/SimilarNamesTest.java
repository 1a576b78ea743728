package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarNamesTest {
  private static final List<String> EXISTING =
      List.of("web@n1", "web@n2", "web@n3", "web@n4", "db@n1", "api");

  @ParameterizedTest
  @CsvSource({
    "db, db@n1",
    "web, web@n1 web@n2 web@n3",
    "n4, web@n4",
    "n1, web@n1 db@n1",
    "apo, api",
    "web@n1x, web@n1",
    "something-else, ''",
  })
  void findsInstancesOfRoleOrNodeAndTypingErrors(String name, String similar) {
    assertThat(String.join(" ", SimilarNames.similar(name, EXISTING))).isEqualTo(similar);
  }
}
