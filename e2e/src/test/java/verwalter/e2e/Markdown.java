package verwalter.e2e;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A builder for a reference page. */
final class Markdown {
  private final StringBuilder text = new StringBuilder();

  /** Creates a page with a note about its source. */
  static Markdown page(String title, String source) {
    var page = new Markdown();
    page.text
        .append("<!-- Made by bin/reference from ")
        .append(source)
        .append("; edit that, not this. -->\n");
    return page.heading(1, title);
  }

  Markdown heading(int level, String title) {
    return line("#".repeat(level) + " " + title).line("");
  }

  Markdown paragraph(String words) {
    return words.isBlank() ? this : line(words.strip()).line("");
  }

  Markdown code(String language, List<String> lines) {
    line("```" + language);
    lines.forEach(this::line);
    return line("```").line("");
  }

  /** A table; every row has as many cells as there are headings. */
  Markdown table(List<String> headings, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return this;
    }
    row(headings);
    row(headings.stream().map(any -> "---").toList());
    rows.forEach(this::row);
    return line("");
  }

  private void row(List<String> cells) {
    line(
        cells.stream()
            .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
            .collect(Collectors.joining(" | ", "| ", " |")));
  }

  private Markdown line(String line) {
    text.append(line).append('\n');
    return this;
  }

  static String code(String... words) {
    return Arrays.stream(words).map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }

  /** The page, which ends with one line end. */
  @Override
  public String toString() {
    return text.toString().stripTrailing() + "\n";
  }
}
