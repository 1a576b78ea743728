package verwalter.cli.print;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rows under headings, three blanks apart, never cut. The table keeps the widths of its columns, so
 * that later rows align with earlier ones.
 */
public final class TextTable {
  private static final int GAP = 3;
  private static final Set<String> STATES = Set.of("STATUS", "STATE", "TYPE");

  private final List<String> headings;
  private final Paint paint;
  private final int[] widths;

  /** A table with these headings, which are printed in upper case. */
  public TextTable(List<String> headings, Paint paint) {
    this.headings = headings.stream().map(each -> each.toUpperCase(Locale.ROOT)).toList();
    this.paint = paint;
    this.widths = new int[headings.size()];
  }

  /** The rows as lines, with the headings before them if requested. */
  public String lines(List<List<String>> rows, boolean headed) {
    if (headed) {
      widen(headings);
    }
    rows.forEach(this::widen);
    var lines = new StringBuilder();
    if (headed) {
      append(headings, false, lines);
    }
    rows.forEach(row -> append(row, true, lines));
    return lines.toString();
  }

  private void widen(List<String> row) {
    for (int i = 0; i < row.size() - 1; i++) {
      widths[i] = Math.max(widths[i], width(clean(row.get(i))) + GAP);
    }
  }

  private void append(List<String> row, boolean painted, StringBuilder lines) {
    for (int i = 0; i < row.size(); i++) {
      var cell = clean(row.get(i));
      boolean state = painted && STATES.contains(headings.get(i));
      lines.append(state ? paint.in(Paint.tone(cell), cell) : cell);
      if (i < row.size() - 1) {
        lines.append(" ".repeat(widths[i] - width(cell)));
      }
    }
    while (lines.length() > 0 && lines.charAt(lines.length() - 1) == ' ') {
      lines.setLength(lines.length() - 1);
    }
    lines.append('\n');
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }

  /**
   * The text without line breaks. Control characters are shown as {@code ^[}, and others that
   * cannot be seen or that change the order of characters by their number, such as {@code \u202E}.
   */
  public static String clean(String text) {
    if (text.chars().noneMatch(c -> Character.isISOControl(c) || isHidden((char) c))) {
      return text;
    }
    var clean = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' || c == '\t' || c == '\r') {
        clean.append(c == '\r' ? "" : " ");
      } else if (Character.isISOControl(c)) {
        clean.append('^').append((char) ((c & 0x1f) + 0x40));
      } else if (isHidden(c)) {
        clean.append("\\u%04X".formatted((int) c));
      } else {
        clean.append(c);
      }
    }
    return clean.toString();
  }

  private static boolean isHidden(char c) {
    int type = Character.getType(c);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
