package verwalter.render.apply;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SectionsTest {

  /** In the tables, {@code ;} is a line feed and {@code ^} a carriage return. */
  private static String sections(String text, String section, String validate) {
    try {
      var source = text.replace(';', '\n').replace('^', '\r');
      var found = Sections.of(source, Pattern.compile(section), Pattern.compile(validate));
      return found.toString().replace('\n', ';');
    } catch (Run.Failed e) {
      return String.valueOf(e.getMessage());
    }
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                   | {}",
        "' ;;'                | {}",
        "=a;1;2;=b;3;         | {a=1;2;, b=3;}",
        "=a;1;2               | {a=1;2;}",
        "' ; ;=a;1;'          | {a=1;}",
        "=a^;1^;^;2;          | {a=1;;2;}",
        "=a;=b                | {a=, b=}",
        "=a;;;                | {a=;;}",
        "=b;1;=a;2;=b;3;      | {b=3;, a=2;}",
        "=a;1 =x;             | {a=1 =x;}",
        "x;=a;                | line 1 of the source stands before the first section",
        ";  x;=a;             | line 2 of the source stands before the first section",
        "=a;1;=B;             | the section name `B` in line 3 of the source does not match `^[a-z]+$`",
        "=;1                  | the section name `` in line 1 of the source does not match `^[a-z]+$`",
      })
  void linesBelongToSectionAbove(String text, String sections) {
    assertThat(sections(text, "^=(.*)$", "^[a-z]+$")).isEqualTo(sections);
  }

  @ParameterizedTest(name = "{0} with {1} and {2} is {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "x[a]y;1 | \\[(.)\\]  | .   | {a=1;}",
        "x;1     | x          | ^$  | {=1;}",
        "x;1     | x(y)?      | ^$  | {=1;}",
        "x;1     | x          | .   | the section name `` in line 1 of the source does not match `.`",
        "=ab;    | =(.)(.)    | a   | {a=}",
        "=x1;    | =(.*)      | [0-9] | {x1=}",
      })
  void expressionsMatchAnywhereInLine(
      String text, String section, String validate, String sections) {
    assertThat(sections(text, section, validate)).isEqualTo(sections);
  }

  @Test
  void limitsSectionsToTenThousand() {
    var most = IntStream.range(0, 10_000).mapToObj(i -> "=" + i).collect(joining(";"));
    assertThat(sections(most, "^=(.*)$", "")).startsWith("{0=, 1=, ").endsWith(", 9999=}");
    assertThat(sections(most + ";=x", "^=(.*)$", ""))
        .isEqualTo("the source has more than 10000 sections");
  }
}
