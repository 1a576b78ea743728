package verwalter.render.engine.legacy.tera;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Map;

/**
 * The filter {@code date}: formats seconds since 1970, a date or RFC 3339 by the conversions of
 * strftime.
 */
final class Dates {
  private static final Map<Character, String> PATTERNS =
      Map.ofEntries(
          Map.entry('Y', "uuuu"),
          Map.entry('y', "uu"),
          Map.entry('m', "MM"),
          Map.entry('d', "dd"),
          Map.entry('e', "ppd"),
          Map.entry('H', "HH"),
          Map.entry('k', "ppH"),
          Map.entry('I', "hh"),
          Map.entry('l', "pph"),
          Map.entry('M', "mm"),
          Map.entry('S', "ss"),
          Map.entry('f', "nnnnnnnnn"),
          Map.entry('j', "DDD"),
          Map.entry('a', "EEE"),
          Map.entry('A', "EEEE"),
          Map.entry('b', "MMM"),
          Map.entry('h', "MMM"),
          Map.entry('B', "MMMM"),
          Map.entry('p', "a"),
          Map.entry('D', "MM/dd/uu"),
          Map.entry('F', "uuuu-MM-dd"),
          Map.entry('T', "HH:mm:ss"),
          Map.entry('R', "HH:mm"),
          Map.entry('z', "xx"),
          Map.entry('Z', "xxx"));

  static Object date(Arguments call) {
    var format = call.text("format", "%Y-%m-%d");
    call.budget().work(format.length() * 10L);
    try {
      return call.budget().paid(formatted(moment(call), format));
    } catch (DateTimeException e) {
      throw new TemplateError("`date` cannot read `" + call.value() + "`");
    }
  }

  private static OffsetDateTime moment(Arguments call) {
    if (call.value() instanceof Long seconds) {
      return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
    }
    if (call.value() instanceof String text) {
      if (!text.contains("T")) {
        return LocalDate.parse(text).atStartOfDay().atOffset(ZoneOffset.UTC);
      }
      return text.matches(".*(Z|[+-][0-9:]+)")
          ? OffsetDateTime.parse(text)
          : LocalDateTime.parse(text).atOffset(ZoneOffset.UTC);
    }
    throw call.takes("whole seconds or a text");
  }

  private static String formatted(OffsetDateTime moment, String format) {
    var result = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char letter = format.charAt(i);
      if (letter == '%') {
        i++;
        letter = i < format.length() ? format.charAt(i) : ' ';
        result.append(part(moment, letter));
      } else {
        result.append(letter);
      }
    }
    return result.toString();
  }

  private static String part(OffsetDateTime moment, char letter) {
    return switch (letter) {
      case '%' -> "%";
      case 'n' -> "\n";
      case 't' -> "\t";
      case 's' -> Long.toString(moment.toEpochSecond());
      case 'u' -> Integer.toString(moment.get(ChronoField.DAY_OF_WEEK));
      case 'w' -> Integer.toString(moment.get(ChronoField.DAY_OF_WEEK) % 7);
      default -> {
        var pattern = PATTERNS.get(letter);
        if (pattern == null) {
          throw new TemplateError("`date` does not know %" + letter);
        }
        yield DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(moment);
      }
    };
  }

  private Dates() {}
}
