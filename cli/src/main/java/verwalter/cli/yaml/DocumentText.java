package verwalter.cli.yaml;

import java.util.List;

/** Cuts the text of one document out of a file. */
final class DocumentText {

  /**
   * The text of the document with its comments, in which each line has the number that it has in
   * the file: those of other documents are empty.
   *
   * @param line a line of the document, from 1
   */
  static String of(String text, int line) {
    var lines = List.of(text.split("\n", -1));
    int from = Math.min(line, lines.size()) - 1;
    int to = from + 1;
    while (from > 0 && !isMarker(lines.get(from))) {
      from--;
    }
    while (to < lines.size() && !isMarker(lines.get(to))) {
      to++;
    }
    boolean whole = from == 0 && to == lines.size();
    // A mapping may begin in the line of its marker.
    var end = to < lines.size() ? "\n" : "";
    return whole ? text : "\n".repeat(from) + String.join("\n", lines.subList(from, to)) + end;
  }

  private static boolean isMarker(String line) {
    return line.startsWith("---") || line.startsWith("...");
  }

  private DocumentText() {}
}
