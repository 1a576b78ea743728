package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Numerals;
import verwalter.scheduler.lua.text.Utf8;

/** Parses one JSON text. */
final class JsonReader {
  private static final String ESCAPED = "bfnrt\"\\/";
  private static final String MEANT = "\b\f\n\r\t\"\\/";
  private static final int NOTHING = -1;

  private final VmState machine;
  private final String text;
  private final Table array;
  private final Table object;
  private int at;

  /**
   * A text to parse.
   *
   * @param array the metatable of its arrays
   * @param object the metatable of its objects
   */
  JsonReader(VmState machine, String text, Table array, Table object) {
    this.machine = machine;
    this.text = text;
    this.array = array;
    this.object = object;
  }

  /** The value of the whole text. */
  @Nullable Object value() {
    machine.meter.tick(text.length() / VmState.COPIED_PER_TICK);
    skip();
    var value = value(1);
    skip();
    if (at < text.length()) {
      throw fail(at, "end of text expected");
    }
    return value;
  }

  private @Nullable Object value(int depth) {
    machine.meter.tick();
    if (depth > JsonLibrary.DEEPEST) {
      throw fail(at, "nested too deeply");
    }
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      default -> plain();
    };
  }

  private @Nullable Object plain() {
    if (word("null")) {
      return null;
    }
    boolean truth = word("true");
    return truth || word("false") ? (Object) truth : number();
  }

  private Table array(int depth) {
    var items = table(array);
    at++;
    skip();
    if (taken(']')) {
      return items;
    }
    for (long count = 1; ; count++) {
      items.set(count, value(depth + 1));
      skip();
      if (taken(']')) {
        return items;
      }
      expect(',', "',' or ']'");
      skip();
    }
  }

  private Table object(int depth) {
    var fields = table(object);
    at++;
    skip();
    if (taken('}')) {
      return fields;
    }
    while (true) {
      if (peek() != '"') {
        throw fail(at, "'\"' expected");
      }
      var key = string();
      skip();
      expect(':', "':'");
      skip();
      fields.set(key, value(depth + 1));
      skip();
      if (taken('}')) {
        return fields;
      }
      expect(',', "',' or '}'");
      skip();
    }
  }

  private Table table(Table metatable) {
    var table = new Table(machine.meter);
    table.metatable = metatable;
    return table;
  }

  // Strings

  private String string() {
    int start = at + 1;
    int stop = stop(start);
    if (text.charAt(stop) == '"') {
      at = stop + 1;
      machine.reserve(stop - start);
      return text.substring(start, stop);
    }
    var parts = new StringBuilder();
    int from = start;
    while (text.charAt(stop) != '"') {
      if (text.charAt(stop) != '\\') {
        throw fail(stop, "control character in a string");
      }
      parts.append(text, from, stop);
      from = escape(stop, parts);
      stop = stop(from);
    }
    parts.append(text, from, stop);
    at = stop + 1;
    machine.reserve(parts.length());
    return parts.toString();
  }

  /** The position of the next character that is not literal. */
  private int stop(int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\' || c < ' ') {
        return i;
      }
    }
    throw fail(at, "unfinished string");
  }

  /** Appends the value of an escape; returns its end. */
  private int escape(int stop, StringBuilder parts) {
    char letter = stop + 1 < text.length() ? text.charAt(stop + 1) : 0;
    if (letter == 'u') {
      return unicode(stop + 2, parts);
    }
    int known = ESCAPED.indexOf(letter);
    if (known < 0) {
      throw fail(stop, "unknown escape");
    }
    parts.append(MEANT.charAt(known));
    return stop + 2;
  }

  private int unicode(int start, StringBuilder parts) {
    int code = hexadecimal(start);
    if (code == NOTHING) {
      throw fail(start, "four hex digits expected");
    }
    if (code < 0xd800 || code >= 0xdc00) {
      parts.append(Utf8.encode(code));
      return start + 4;
    }
    int low = text.startsWith("\\u", start + 4) ? hexadecimal(start + 6) : NOTHING;
    if (low < 0xdc00 || low > 0xdfff) {
      throw fail(start, "half of a surrogate pair");
    }
    parts.append(Utf8.encode(0x10000 + ((code - 0xd800) << 10) + low - 0xdc00));
    return start + 10;
  }

  private int hexadecimal(int start) {
    if (start + 4 > text.length()) {
      return NOTHING;
    }
    int code = 0;
    for (int i = start; i < start + 4; i++) {
      char c = text.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, 16) : NOTHING;
      if (digit < 0) {
        return NOTHING;
      }
      code = code * 16 + digit;
    }
    return code;
  }

  // Numbers

  private Number number() {
    int first = at + (peek() == '-' ? 1 : 0);
    int point = digits(first);
    int fraction = digits(point + (is(point, '.') ? 1 : 0));
    int exponent = fraction + (is(fraction, 'e') || is(fraction, 'E') ? 1 : 0);
    int end = digits(exponent + (is(exponent, '+') || is(exponent, '-') ? 1 : 0));
    boolean zero = is(first, '0') && point > first + 1;
    boolean bare = is(point, '.') && fraction == point + 1;
    boolean wrong = point == first || zero || (bare && (exponent > fraction || end == fraction));
    var number = wrong ? null : Numerals.parse(text.substring(at, end));
    if (number == null) {
      throw fail(at, "value expected");
    }
    machine.meter.tick((end - at) / VmState.COPIED_PER_TICK);
    at = end;
    return number;
  }

  private int digits(int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  // Characters

  private boolean is(int index, char c) {
    return index < text.length() && text.charAt(index) == c;
  }

  /** The next character, or 0 at the end of the text. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void skip() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean taken(char c) {
    boolean there = is(at, c);
    at += there ? 1 : 0;
    return there;
  }

  private boolean word(String word) {
    boolean there = text.startsWith(word, at);
    at += there ? word.length() : 0;
    return there;
  }

  private void expect(char c, String shown) {
    if (!taken(c)) {
      throw fail(at, shown + " expected");
    }
  }

  private LuaError fail(int index, String problem) {
    machine.meter.tick(index / VmState.COPIED_PER_TICK);
    long line = 1 + text.chars().limit(index).filter(c -> c == '\n').count();
    return machine.raise("json.decode: " + problem + " at line " + line + ", byte " + (index + 1));
  }
}
