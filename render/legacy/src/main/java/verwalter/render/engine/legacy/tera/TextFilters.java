package verwalter.render.engine.legacy.tera;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Filters of texts. Those whose result can be much longer consume budget first. */
final class TextFilters {
  private static final long CUT = 255;
  private static final Pattern WORD = Pattern.compile("\\w++", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern MARKS = Pattern.compile("\\p{M}");

  /** Latin letters that do not decompose into a base letter and marks. */
  private static final Map<String, String> LIGATURES =
      Map.of(
          "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ð", "d", "þ", "th", "đ", "d", "ł", "l", "ı",
          "i");

  private static final Pattern LIGATURE = Pattern.compile("[ßæœøðþđłı]");
  private static final Pattern NO_LETTERS = Pattern.compile("[^a-z0-9]++");

  static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  static String truncate(String text, Arguments call) {
    long length = call.integer("length", CUT);
    if (length < 0) {
      throw new TemplateError("`truncate` cannot cut to a negative length");
    }
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, (int) length)) + call.text("end", "…");
  }

  static Object wordCount(String text) {
    return Space.words(text);
  }

  static String replace(String text, Arguments call) {
    var from = call.text("from");
    var to = call.text("to");
    if (from.isEmpty()) {
      throw new TemplateError("`replace` cannot replace the empty text");
    }
    var result = new StringBuilder();
    int start = 0;
    for (int at = text.indexOf(from); at >= 0; at = text.indexOf(from, start)) {
      call.budget().fits((long) result.length() + at - start + to.length());
      result.append(text, start, at).append(to);
      start = at + from.length();
    }
    return result.append(text, start, text.length()).toString();
  }

  static String capitalize(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int first = text.offsetByCodePoints(0, 1);
    return upper(text.substring(0, first)) + lower(text.substring(first));
  }

  static String title(String text) {
    return WORD.matcher(text)
        .replaceAll(word -> capitalize(word.group()).replace("\\", "\\\\").replace("$", "\\$"));
  }

  /** Removes HTML tags and comments. */
  static String stripTags(String text) {
    var result = new StringBuilder();
    int from = 0;
    for (int tag = text.indexOf('<'); tag >= 0; tag = text.indexOf('<', from)) {
      int comment = text.startsWith("<!--", tag) ? text.indexOf("-->", tag + 4) : -1;
      int end = comment >= 0 ? comment + 3 : text.indexOf('>', tag) + 1;
      if (end == 0) {
        break;
      }
      result.append(text, from, tag);
      from = end;
    }
    return result.append(text, from, text.length()).toString();
  }

  /**
   * Percent-encodes all characters except the unreserved ones and those of the argument, by default
   * slashes.
   */
  static String urlEncode(String text, Arguments call) {
    var safe = call.text("safe", "/");
    var result = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      boolean plain =
          letter < 0x80
              && (Character.isLetterOrDigit(letter)
                  || "-_.".indexOf(letter) >= 0
                  || safe.indexOf(letter) >= 0);
      result.append(plain ? letter : "%%%02X".formatted((int) letter));
    }
    return result.toString();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#x27;")
        .replace("/", "&#x2F;")
        .replace("`", "&#96;");
  }

  static String slugify(String text) {
    var letters = MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD)).replaceAll("");
    var latin =
        LIGATURE.matcher(lower(letters)).replaceAll(letter -> LIGATURES.get(letter.group()));
    var slug = NO_LETTERS.matcher(latin).replaceAll("-");
    int start = slug.startsWith("-") ? 1 : 0;
    int end = slug.length() - (slug.length() > start && slug.endsWith("-") ? 1 : 0);
    return slug.substring(start, end);
  }

  static String addSlashes(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("'", "\\'");
  }

  static List<String> split(String text, Arguments call) {
    var at = call.text("pat");
    if (at.isEmpty()) {
      throw new TemplateError("`split` cannot split at the empty text");
    }
    var pieces = new ArrayList<String>();
    int start = 0;
    for (int end = text.indexOf(at); end >= 0; end = text.indexOf(at, start)) {
      pieces.add(text.substring(start, end));
      start = end + at.length();
    }
    pieces.add(text.substring(start));
    return call.budget().paid(pieces);
  }

  private TextFilters() {}
}
