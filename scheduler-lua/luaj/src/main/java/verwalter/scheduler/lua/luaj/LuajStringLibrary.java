package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Pattern;

/**
 * String manipulation (Lua 5.3 manual, 6.4), without {@code dump}, {@code pack} and {@code unpack}.
 */
final class LuajStringLibrary {
  private static final String SPECIAL = "^$*+?.([%-";

  private final LuajState machine;

  private LuajStringLibrary(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    new LuajStringLibrary(machine).install();
  }

  private void install() {
    var strings = machine.strings;
    add("byte", this::bytes);
    add("char", this::chars);
    add("find", args -> find(args, true));
    add("format", this::format);
    add("gmatch", this::gmatch);
    add("gsub", this::gsub);
    add("len", args -> LuaValue.valueOf(args.string(1).m_length));
    add("lower", args -> mapped(args, 'A', 'Z', 'a' - 'A'));
    add("match", args -> find(args, false));
    add("rep", this::repeat);
    add("reverse", this::reverse);
    add("sub", this::sub);
    add("upper", args -> mapped(args, 'a', 'z', 'A' - 'a'));
    machine.globals.set("string", strings);
    machine.stringMetatable.rawset("__index", strings);
    var operators = new LuaTable();
    operators.rawset("__index", Operators.table(machine));
    strings.setmetatable(operators);
  }

  private void add(String name, LuajFunction.Body body) {
    machine.strings.rawset(name, machine.function("string." + name, body));
  }

  /** An index from 1 or, if negative, from the end, as one from 1 that may lie outside. */
  private static long place(long index, int length) {
    return index >= 0 ? index : Math.max(length + index + 1, 0);
  }

  private Varargs bytes(LuajArgs args) {
    var text = args.string(1);
    long first = args.integer(2, 1);
    long from = Math.max(place(first, text.m_length), 1);
    long to = Math.min(place(args.integer(3, from), text.m_length), text.m_length);
    if (from > to) {
      return LuaValue.NONE;
    }
    machine.reserve((to - from + 1) * 8);
    var values = new LuaValue[(int) (to - from + 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = LuaInteger.valueOf(text.luaByte((int) from - 1 + i));
    }
    return LuaValue.varargsOf(values);
  }

  private Varargs chars(LuajArgs args) {
    var bytes = new byte[args.count()];
    for (int i = 1; i <= bytes.length; i++) {
      long value = args.integer(i);
      if (value < 0 || value > 255) {
        throw args.bad(i, "value out of range");
      }
      bytes[i - 1] = (byte) value;
    }
    return LuaString.valueUsing(bytes);
  }

  private Varargs mapped(LuajArgs args, char first, char last, int shift) {
    var text = args.string(1);
    machine.reserve(text.m_length);
    var bytes = LuajText.bytes(text);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] >= first && bytes[i] <= last) {
        bytes[i] += (byte) shift;
      }
    }
    return LuaString.valueUsing(bytes);
  }

  private Varargs reverse(LuajArgs args) {
    var text = args.string(1);
    machine.reserve(text.m_length);
    var bytes = new byte[text.m_length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.luaByte(bytes.length - 1 - i);
    }
    return LuaString.valueUsing(bytes);
  }

  private Varargs repeat(LuajArgs args) {
    var text = args.string(1);
    long count = args.integer(2);
    var separator = args.absent(3) ? LuajText.lua("") : args.string(3);
    if (count <= 0 || text.m_length + separator.m_length == 0) {
      return LuajText.lua("");
    }
    if (count > Integer.MAX_VALUE) {
      throw machine.error(machine.meter.tooLong());
    }
    long length = count * text.m_length + (count - 1) * separator.m_length;
    machine.reserve(length);
    var bytes = new byte[(int) length];
    int at = 0;
    for (long i = 0; i < count; i++) {
      if (i > 0) {
        System.arraycopy(separator.m_bytes, separator.m_offset, bytes, at, separator.m_length);
        at += separator.m_length;
      }
      System.arraycopy(text.m_bytes, text.m_offset, bytes, at, text.m_length);
      at += text.m_length;
    }
    return LuaString.valueUsing(bytes);
  }

  private Varargs sub(LuajArgs args) {
    var text = args.string(1);
    long from = Math.max(place(args.integer(2), text.m_length), 1);
    long to = Math.min(place(args.integer(3, -1), text.m_length), text.m_length);
    if (from > to) {
      return LuajText.lua("");
    }
    machine.reserve(to - from + 1);
    return LuajText.part(text, (int) from - 1, (int) to);
  }

  private Varargs find(LuajArgs args, boolean find) {
    var text = args.string(1);
    var wanted = args.text(2);
    long from = Math.max(place(args.integer(3, 1), text.m_length), 1);
    if (from > text.m_length + 1L) {
      return LuaValue.NIL;
    }
    if (find && (args.get(4).toboolean() || isPlain(wanted))) {
      machine.meter.tick((long) (text.m_length - (int) from + 1) / 8);
      int at = text.indexOf(LuajText.lua(wanted), (int) from - 1);
      return at < 0
          ? LuaValue.NIL
          : LuaValue.varargsOf(
              LuaInteger.valueOf(at + 1), LuaInteger.valueOf(at + wanted.length()));
    }
    var pattern = new Pattern(wanted, LuajText.subject(text), machine.step);
    if (!pattern.find((int) from - 1)) {
      return LuaValue.NIL;
    }
    if (!find) {
      return captures(text, pattern, pattern.values());
    }
    return LuaValue.varargsOf(
        LuaInteger.valueOf(pattern.start() + 1),
        LuaInteger.valueOf(pattern.end()),
        captures(text, pattern, pattern.captures()));
  }

  private static boolean isPlain(String pattern) {
    return pattern.chars().allMatch(c -> SPECIAL.indexOf(c) < 0);
  }

  private Varargs captures(LuaString text, Pattern pattern, int count) {
    if (count == 1) {
      return capture(text, pattern, 0);
    }
    var values = new LuaValue[count];
    for (int i = 0; i < count; i++) {
      values[i] = capture(text, pattern, i);
    }
    return LuaValue.varargsOf(values);
  }

  private LuaValue capture(LuaString text, Pattern pattern, int index) {
    if (pattern.isPosition(index)) {
      return LuaInteger.valueOf(pattern.captureStart(index) + 1);
    }
    int from = pattern.captureStart(index);
    int to = pattern.captureEnd(index);
    machine.reserve(to - from);
    return LuajText.part(text, from, to);
  }

  private Varargs gmatch(LuajArgs args) {
    var text = args.string(1);
    var pattern = new Pattern(args.text(2), LuajText.subject(text), machine.step);
    var next = new int[] {0, -1};
    return machine.function(
        "for iterator",
        ignored -> {
          for (int at = next[0]; at <= text.m_length; at++) {
            if (pattern.matchLiterally(at) && pattern.end() != next[1]) {
              next[0] = next[1] = pattern.end();
              return captures(text, pattern, pattern.values());
            }
          }
          next[0] = text.m_length + 1;
          return LuaValue.NIL;
        });
  }

  private Varargs gsub(LuajArgs args) {
    var text = args.string(1);
    var replacement = args.get(3);
    if (!replacement.isstring() && !replacement.istable() && !replacement.isfunction()) {
      throw args.bad(3, "string/function/table expected");
    }
    var pattern = new Pattern(args.text(2), LuajText.subject(text), machine.step);
    long most = args.integer(4, text.m_length + 1L);
    var result = new StringBuilder();
    int at = 0;
    int last = -1;
    long count = 0;
    while (count < most) {
      if (pattern.matchAt(at) && pattern.end() != last) {
        count++;
        replace(args, text, pattern, result);
        at = last = pattern.end();
      } else if (at < text.m_length) {
        result.append((char) text.luaByte(at++));
      } else {
        break;
      }
      if (pattern.anchored()) {
        break;
      }
    }
    machine.reserve((long) result.length() + text.m_length - at);
    result.append(LuajText.latin1(text), at, text.m_length);
    return LuaValue.varargsOf(machine.string(result), LuaValue.valueOf((double) count));
  }

  private void replace(LuajArgs args, LuaString text, Pattern pattern, StringBuilder result) {
    var replacement = args.get(3);
    LuaValue value;
    if (replacement.istable()) {
      value = replacement.get(capture(text, pattern, 0));
    } else if (replacement.isfunction()) {
      int start = pattern.start();
      int end = pattern.end();
      value = replacement.invoke(captures(text, pattern, pattern.values())).arg1();
      if (!value.toboolean()) {
        result.append(LuajText.latin1(LuajText.part(text, start, end)));
        return;
      }
    } else {
      template(args.text(3), text, pattern, result);
      return;
    }
    if (!value.toboolean()) {
      result.append(LuajText.latin1(LuajText.part(text, pattern.start(), pattern.end())));
    } else if (value.isstring()) {
      var inserted = LuajText.latin1(machine.tostring(value));
      grow(result, inserted.length());
      result.append(inserted);
    } else {
      throw machine.error("invalid replacement value (a " + machine.typeName(value) + ")");
    }
  }

  private void template(String template, LuaString text, Pattern pattern, StringBuilder result) {
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c != '%') {
        result.append(c);
        continue;
      }
      char d = ++i < template.length() ? template.charAt(i) : '\0';
      if (d == '%') {
        result.append('%');
      } else if (d >= '0' && d <= '9') {
        var value =
            d == '0'
                ? LuajText.part(text, pattern.start(), pattern.end())
                : capture(text, pattern, d - '1');
        var inserted = LuajText.latin1(machine.tostring(value));
        grow(result, inserted.length());
        result.append(inserted);
      } else {
        throw machine.error("invalid use of '%' in replacement string");
      }
    }
    grow(result, 0);
  }

  private void grow(StringBuilder result, int more) {
    if ((long) result.length() + more > machine.meter.budget().stringLength()) {
      throw machine.error(machine.meter.tooLong());
    }
    machine.meter.tick((long) more / 64);
  }

  private Varargs format(LuajArgs args) {
    var format = args.text(1);
    var result = new StringBuilder();
    int argument = 1;
    for (int i = 0; i < format.length(); ) {
      char c = format.charAt(i++);
      if (c != '%') {
        result.append(c);
        continue;
      }
      if (i < format.length() && format.charAt(i) == '%') {
        result.append('%');
        i++;
        continue;
      }
      var conversion = Format.parse(format, i);
      argument++;
      if (argument > args.count()) {
        throw args.bad(argument, "no value");
      }
      var text = converted(args, argument, conversion);
      grow(result, text.length());
      result.append(text);
      i = Format.end(format, i);
    }
    machine.reserve(result.length());
    return machine.string(result);
  }

  private String converted(LuajArgs args, int argument, Format conversion) {
    return switch (conversion.letter()) {
      case 'd', 'i', 'o', 'u', 'x', 'X' -> conversion.integer(args.integer(argument));
      case 'c' -> conversion.string(String.valueOf((char) (args.integer(argument) & 0xff)));
      case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A' -> conversion.floating(args.number(argument));
      case 's' -> {
        var text = machine.tostring(args.any(argument));
        machine.reserve(text.m_length);
        yield conversion.string(LuajText.latin1(text));
      }
      case 'q' -> quoted(args, argument);
      case '\0' -> throw machine.error("invalid option '%' to 'format'");
      default -> throw machine.error("invalid option '%" + conversion.letter() + "' to 'format'");
    };
  }

  private String quoted(LuajArgs args, int argument) {
    var value = args.any(argument);
    if (value instanceof LuaString text) {
      machine.reserve(text.m_length * 4L);
      return Format.quoted(LuajText.latin1(text));
    }
    if (value.istable() || value.isfunction()) {
      throw args.bad(argument, "value has no literal form");
    }
    return LuajText.latin1(machine.tostring(value));
  }
}
