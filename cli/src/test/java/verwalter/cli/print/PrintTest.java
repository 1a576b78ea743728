package verwalter.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintTest {
  private static final Paint PLAIN = new Paint(false, false);

  @ParameterizedTest
  @CsvSource({
    "-5, <invalid>",
    "-1, 0s",
    "0, 0s",
    "59, 59s",
    "119, 119s",
    "120, 2m",
    "125, 2m5s",
    "599, 9m59s",
    "600, 10m",
    "10799, 179m",
    "10800, 3h",
    "10860, 3h1m",
    "28799, 7h59m",
    "28800, 8h",
    "172799, 47h",
    "172800, 2d",
    "176400, 2d1h",
    "691199, 7d23h",
    "691200, 8d",
    "63071999, 729d",
    "63072000, 2y",
    "63158400, 2y1d",
    "252288000, 8y"
  })
  void printsAgesAsKubectl(long seconds, String age) {
    assertThat(Age.of(Duration.ofSeconds(seconds))).isEqualTo(age);
  }

  @Test
  void ageOfInvalidTimeIsUnknown() {
    assertThat(Age.since("never", Instant.EPOCH)).isEqualTo("<unknown>");
    assertThat(Age.since("1970-01-01T00:00:00Z", Instant.ofEpochSecond(90))).isEqualTo("90s");
  }

  @Test
  void separatesColumnsByThreeBlanksWithoutTrailingBlanks() {
    var table = new TextTable(List.of("Name", "Age"), PLAIN);
    assertThat(table.lines(List.of(List.of("a-long-name", "1s"), List.of("ü", "")), true))
        .isEqualTo("NAME          AGE\na-long-name   1s\nü\n");
  }

  @Test
  void alignsLaterRowsWithEarlierOnes() {
    var table = new TextTable(List.of("Name", "Age"), PLAIN);
    table.lines(List.of(List.of("a-long-name", "1s")), true);
    assertThat(table.lines(List.of(List.of("b", "2s")), false)).isEqualTo("b             2s\n");
  }

  @Test
  void removesControlCharactersFromCells() {
    assertThat(TextTable.clean("a\nb\tc\u001b[31m\r")).isEqualTo("a b c^[[31m");
  }

  /** Reversed order, zero width and a line separator. */
  @Test
  void showsHiddenCharactersByNumber() {
    assertThat(TextTable.clean("a\u202eb\u200bc\u2028d \ud83d\ude00"))
        .isEqualTo("a\\u202Eb\\u200Bc\\u2028d \ud83d\ude00");
  }

  @Test
  void terminalGetsNoControlSequencesExceptColours() {
    var text = "a\tb\n\u001b[31mred\u001b[0m\u001b[8mhidden\u001b]0;t\u0007\u202e\u2028\u200b\r\n";
    assertThat(TerminalText.of(text, true))
        .isEqualTo("a\tb\n\u001b[31mred\u001b[0m^[[8mhidden^[]0;t^G\\u202E\\u2028\\u200B\n");
    assertThat(TerminalText.of(text, false))
        .isEqualTo("a\tb\n^[[31mred^[[0m^[[8mhidden^[]0;t^G\\u202E\\u2028\\u200B\n");
  }

  @Test
  void coloursStatesAndKeepsWords() {
    var table = new TextTable(List.of("Name", "Status"), new Paint(true, true));
    assertThat(table.lines(List.of(List.of("Broken", "Broken"), List.of("n", "Ready")), false))
        .isEqualTo("Broken   \033[31mBroken\033[0m\nn        \033[32mReady\033[0m\n");
  }

  @Test
  void printsSignWithoutColoursAndUnicode() {
    assertThat(new Paint(false, true).sign(Paint.Tone.BAD, "Failed")).isEqualTo("✖ Failed");
    assertThat(PLAIN.sign(Paint.Tone.BAD, "Failed")).isEqualTo("x Failed");
    assertThat(new Paint(true, true).sign(Paint.Tone.GOOD, "Ready"))
        .isEqualTo("\033[32m● Ready\033[0m");
  }

  @ParameterizedTest
  @CsvSource({
    "auto, true, TERM=xterm, true",
    "auto, false, TERM=xterm, false",
    "auto, true, TERM=dumb, false",
    "auto, true, X=, false",
    "auto, true, TERM=xterm;NO_COLOR=1, false",
    "auto, true, TERM=xterm;NO_COLOR=, true",
    "auto, false, CLICOLOR_FORCE=1, true",
    "auto, false, FORCE_COLOR=1, true",
    "auto, false, CLICOLOR_FORCE=0, false",
    "auto, false, CLICOLOR_FORCE=1;NO_COLOR=1, false",
    "always, false, NO_COLOR=1, true",
    "never, true, CLICOLOR_FORCE=1, false",
  })
  void environmentControlsColours(
      String when, boolean terminal, String environment, boolean colours) {
    var variables = new java.util.HashMap<String, String>();
    for (var each : environment.split(";", -1)) {
      variables.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    assertThat(Paint.wanted(when, variables, terminal).colours()).isEqualTo(colours);
  }

  @ParameterizedTest
  @CsvSource({
    "Ready, GOOD",
    "NotReady, BAD",
    "'Ready,Cordoned', BUSY",
    "'NotReady,Cordoned', BAD",
    "Booting, BUSY",
    "Halted, PLAIN",
    "Whatever, PLAIN"
  })
  void worstWordOfStateDeterminesTone(String word, Paint.Tone tone) {
    assertThat(Paint.tone(word)).isEqualTo(tone);
  }

  @Test
  void customColumnsPrintValuesOfPaths() {
    var columns =
        CustomColumns.of("NAME:.metadata.name,ALL:{.spec.list[*]},TWO:.spec.list[0,1],NO:.x");
    var object =
        Map.<String, Object>of(
            "metadata", Map.of("name", "a"), "spec", Map.of("list", List.of("x", 1L)));
    assertThat(columns.headings()).containsExactly("NAME", "ALL", "TWO", "NO");
    assertThat(columns.cells(object)).containsExactly("a", "x,1", "x,1", "<none>");
  }

  @ParameterizedTest
  @CsvSource({"NAME", ":.x", "NAME:", "'A:.x,B'"})
  void refusesInvalidCustomColumns(String text) {
    assertThatThrownBy(() -> CustomColumns.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HEADING:PATH");
  }
}
