package verwalter.render.engine.jinja;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.jinja.JinjaFilter.Call;

/** Filters that make texts. */
final class JinjaTextFilters {
  private static final Pattern NO_KEY = Pattern.compile("[\\s/>=]");

  static String json(Call call) {
    boolean lines = call.argument(0, "indent", null) != null;
    return Python.json(call.value(), lines ? call.integer(0, "indent", 0) : null, call.limit());
  }

  static String lower(Call call) {
    return call.text().toLowerCase(Locale.ROOT);
  }

  static String upper(Call call) {
    return call.text().toUpperCase(Locale.ROOT);
  }

  static String trim(Call call) {
    var given = call.argument(0, "chars", null);
    var letters = given == null ? null : call.text(0, "chars", "");
    call.in().payForSearch(call.text().length(), letters == null ? 0 : letters.length());
    return PythonText.strip(call.text(), letters, 0);
  }

  static String center(Call call) {
    return PythonText.center(call.text(), call.integer(0, "width", 80), " ");
  }

  static Object replace(Call call) {
    var count = call.argument(2, "count", null);
    var old = required(call, 0, "old");
    call.in().payForSearch(call.text().length(), old.length());
    return PythonText.replace(
        call.text(),
        old,
        required(call, 1, "new"),
        count == null ? -1 : call.integer(2, "count", -1),
        call.limit());
  }

  private static String required(Call call, int position, String name) {
    if (position >= call.arguments().size() && !call.named().containsKey(name)) {
      throw new JinjaError("`replace` needs the argument `" + name + "`");
    }
    return call.text(position, name, "");
  }

  static String format(Call call) {
    return PythonFormat.format(call.text(), call.arguments(), call.named(), call.limit());
  }

  static String escape(Call call) {
    return escaped(call.text());
  }

  static String xmlAttributes(Call call) {
    if (!(call.value() instanceof Map<?, ?> map)) {
      throw new JinjaError("`xmlattr` takes a map");
    }
    var text =
        map.entrySet().stream()
            .filter(each -> each.getValue() != null)
            .map(each -> attribute(String.valueOf(each.getKey()), each.getValue(), call.limit()))
            .collect(Collectors.joining(" "));
    boolean space = !Boolean.FALSE.equals(call.argument(0, "autospace", true));
    return space && !text.isEmpty() ? " " + text : text;
  }

  private static String attribute(String key, @Nullable Object value, int limit) {
    if (NO_KEY.matcher(key).find()) {
      throw new JinjaError("`" + key + "` cannot be the name of an attribute");
    }
    return escaped(key) + "=\"" + escaped(Python.text(value, limit)) + "\"";
  }

  static String truncate(Call call) {
    var text = call.text();
    int length = call.integer(0, "length", 255);
    var end = call.text(2, "end", "...");
    int leeway = call.integer(3, "leeway", 5);
    if (length < end.length() || leeway < 0) {
      throw new JinjaError("`truncate` cannot cut to " + length + " characters");
    }
    if (text.length() <= length + leeway) {
      return text;
    }
    var kept = text.substring(0, length - end.length());
    int space = kept.lastIndexOf(' ');
    return (call.flag(1, "killwords") || space < 0 ? kept : kept.substring(0, space)) + end;
  }

  static String urlEncode(Call call) {
    if (call.value() instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(
              each ->
                  encoded(String.valueOf(each.getKey()), "").replace("%20", "+")
                      + "="
                      + encoded(Python.text(each.getValue(), call.limit()), "").replace("%20", "+"))
          .collect(Collectors.joining("&"));
    }
    return encoded(call.text(), "/");
  }

  private static String encoded(String text, String safe) {
    var result = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      boolean plain =
          letter < 0x80
              && (Character.isLetterOrDigit(letter) || ("-_.~" + safe).indexOf(letter) >= 0);
      result.append(plain ? letter : "%%%02X".formatted((int) letter));
    }
    return result.toString();
  }

  static String indent(Call call) {
    var width = call.argument(0, "width", 4L);
    var space =
        width instanceof Number
            ? " ".repeat(Math.max(0, call.integer(0, "width", 4)))
            : Python.text(width, call.limit());
    boolean first = call.flag(1, "first");
    boolean blank = call.flag(2, "blank");
    var result = new StringBuilder();
    for (var line : call.text().split("\n", -1)) {
      boolean start = first || result.length() > 0;
      result.append(start && (blank || !line.isEmpty()) ? space : "").append(line).append('\n');
      if (result.length() > call.limit()) {
        throw new LimitedWriter.TooLong(call.limit());
      }
    }
    return result.substring(0, result.length() - 1);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace("\"", "&#34;");
  }

  private JinjaTextFilters() {}
}
