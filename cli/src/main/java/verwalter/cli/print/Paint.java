package verwalter.cli.print;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Colours and signs. A colour only repeats the meaning of a word.
 *
 * @param colours whether to write escape sequences
 * @param unicode whether the terminal can show more than ASCII
 */
public record Paint(boolean colours, boolean unicode) {
  /** Colours that can be read on black and on white. */
  private static final String[] HUES = {"36", "35", "34", "33", "32", "96", "95", "94"};

  private static final Set<String> GOOD =
      Set.of("ready", "running", "ok", "applied", "rendered", "succeeded", "active", "true");
  private static final Set<String> BAD =
      Set.of(
          "notready",
          "broken",
          "failed",
          "failing",
          "error",
          "down",
          "lost",
          "crashed",
          "invalid",
          "held",
          "drifted",
          "renderfailed",
          "needscycle");
  private static final Set<String> BUSY =
      Set.of(
          "pending",
          "booting",
          "preparing",
          "rendering",
          "halting",
          "initial",
          "unknown",
          "progressing",
          "degraded",
          "waiting",
          "warning",
          "fetching",
          "unstable",
          "cordoned",
          "rolledback");

  /** The severity of a state. */
  public enum Tone {
    GOOD("32", "●", "*"),
    BUSY("33", "▲", "!"),
    BAD("31", "✖", "x"),
    PLAIN("", "○", "-");

    private final String colour;
    private final String sign;
    private final String ascii;

    Tone(String colour, String sign, String ascii) {
      this.colour = colour;
      this.sign = sign;
      this.ascii = ascii;
    }
  }

  /**
   * The colours to use: {@code when} has precedence, then {@code NO_COLOR}, {@code CLICOLOR_FORCE}
   * and {@code FORCE_COLOR}, then whether the output is a terminal.
   *
   * @param when {@code auto}, {@code always} or {@code never}
   */
  public static Paint wanted(String when, Map<String, String> environment, boolean terminal) {
    var locale = "";
    for (var name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      locale = locale.isEmpty() ? environment.getOrDefault(name, "") : locale;
    }
    var lower = locale.toLowerCase(Locale.ROOT);
    return new Paint(
        colours(when, environment, terminal), lower.contains("utf-8") || lower.contains("utf8"));
  }

  private static boolean colours(String when, Map<String, String> environment, boolean terminal) {
    if (!when.equals("auto")) {
      return when.equals("always");
    }
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
      return false;
    }
    if (forced(environment, "CLICOLOR_FORCE") || forced(environment, "FORCE_COLOR")) {
      return true;
    }
    return terminal && !environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  private static boolean forced(Map<String, String> environment, String name) {
    var value = environment.getOrDefault(name, "");
    return !value.isEmpty() && !value.equals("0");
  }

  /** The tone of a word of a status column. */
  public static Tone tone(String word) {
    var tone = Tone.PLAIN;
    for (var part : word.toLowerCase(Locale.ROOT).split(",", -1)) {
      if (BAD.contains(part)) {
        return Tone.BAD;
      }
      tone = BUSY.contains(part) ? Tone.BUSY : tone;
      tone = tone == Tone.PLAIN && GOOD.contains(part) ? Tone.GOOD : tone;
    }
    return tone;
  }

  /** The text in the colour of a tone. */
  public String in(Tone tone, String text) {
    return colours && !tone.colour.isEmpty()
        ? "\033[" + tone.colour + "m" + text + "\033[0m"
        : text;
  }

  /** The text in one of several colours, the same for equal keys. */
  public String of(String key, String text) {
    return colours
        ? "\033[" + HUES[Math.floorMod(key.hashCode(), HUES.length)] + "m" + text + "\033[0m"
        : text;
  }

  /** A sign and the text, both in the colour of the tone. */
  public String sign(Tone tone, String text) {
    return in(tone, (unicode ? tone.sign : tone.ascii) + " " + text);
  }

  /** A heading. */
  public String bold(String text) {
    return colours ? "\033[1m" + text + "\033[0m" : text;
  }
}
