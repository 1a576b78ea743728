package verwalter.cli.print;

import java.util.regex.Pattern;

/** Text that a terminal only shows: nothing in it moves the cursor or changes the terminal. */
public final class TerminalText {
  private static final Pattern KEPT = Pattern.compile("[\n\t]");
  private static final Pattern KEPT_WITH_COLOURS = Pattern.compile("[\n\t]|\033\\[(?:0|1|3[123])m");

  /**
   * The text with other control characters and characters that cannot be seen shown as {@link
   * TextTable#clean} does. Lines and tabs stay.
   *
   * @param colours whether the colours of {@link Paint} stay, too
   */
  public static String of(String text, boolean colours) {
    var kept = (colours ? KEPT_WITH_COLOURS : KEPT).matcher(text);
    var shown = new StringBuilder();
    int end = 0;
    while (kept.find()) {
      shown.append(TextTable.clean(text.substring(end, kept.start()))).append(kept.group());
      end = kept.end();
    }
    return shown.append(TextTable.clean(text.substring(end))).toString();
  }

  private TerminalText() {}
}
