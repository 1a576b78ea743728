package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Format;

/** String manipulation (Lua 5.3 manual, 6.4) except for searching; see {@link SearchLibrary}. */
final class StringLibrary {
  private final VmState machine;

  private StringLibrary(VmState machine) {
    this.machine = machine;
  }

  static void install(VmState machine) {
    var library = new StringLibrary(machine);
    library.add("byte", library::bytes);
    library.add("char", library::chars);
    library.add("dump", library::dump);
    library.add("format", library::format);
    library.add("len", args -> (long) args.string(1).length());
    library.add("lower", args -> library.mapped(args, 'A', 'Z', 'a' - 'A'));
    library.add("rep", library::repeat);
    library.add("reverse", library::reverse);
    library.add("sub", library::sub);
    library.add("upper", args -> library.mapped(args, 'a', 'z', 'A' - 'a'));
    SearchLibrary.install(machine);
    PackLibrary.install(machine);
    machine.globals.set("string", machine.strings);
    machine.stringMetatable.set("__index", machine.strings);
  }

  private void add(String name, Native.Body body) {
    machine.strings.set(name, machine.function("string." + name, body));
  }

  /** An index from 1 or, if negative, from the end, as one from 1 that may lie outside. */
  static long place(long index, int length) {
    return index >= 0 ? index : Math.max(length + index + 1, 0);
  }

  private @Nullable Object bytes(Args args) {
    var text = args.string(1);
    long first = args.integer(2, 1);
    long start = place(first, text.length());
    long from = Math.max(start, 1);
    long to = Math.min(place(args.integer(3, start), text.length()), text.length());
    if (from > to) {
      return Values.NONE;
    }
    if (from == to) {
      return (long) text.charAt((int) from - 1);
    }
    machine.reserve((to - from + 1) * 8);
    var values = new @Nullable Object[(int) (to - from + 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) text.charAt((int) from - 1 + i);
    }
    return values;
  }

  private Object chars(Args args) {
    machine.reserve(args.count());
    var text = new StringBuilder();
    for (int i = 1; i <= args.count(); i++) {
      long value = args.integer(i);
      if (value < 0 || value > 255) {
        throw args.bad(i, "value out of range");
      }
      text.append((char) value);
    }
    return text.toString();
  }

  private Object dump(Args args) {
    args.function(1);
    throw machine.error("unable to dump given function: binary chunks are not supported");
  }

  private Object mapped(Args args, char first, char last, int shift) {
    var text = args.string(1);
    machine.reserve(text.length());
    var result = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= first && c <= last) {
        result.setCharAt(i, (char) (c + shift));
      }
    }
    return result.toString();
  }

  private Object reverse(Args args) {
    var text = args.string(1);
    machine.reserve(text.length());
    var result = new StringBuilder(text.length());
    for (int i = text.length() - 1; i >= 0; i--) {
      result.append(text.charAt(i));
    }
    return result.toString();
  }

  private Object repeat(Args args) {
    var text = args.string(1);
    long count = args.integer(2);
    var separator = args.string(3, "");
    if (count <= 0 || text.length() + separator.length() == 0) {
      return "";
    }
    if (count > Integer.MAX_VALUE) {
      throw machine.error(machine.meter.tooLong());
    }
    machine.reserve(count * text.length() + (count - 1) * separator.length());
    return separator.isEmpty()
        ? text.repeat((int) count)
        : (text + separator).repeat((int) count - 1) + text;
  }

  private Object sub(Args args) {
    var text = args.string(1);
    long from = Math.max(place(args.integer(2), text.length()), 1);
    long to = Math.min(place(args.integer(3, -1), text.length()), text.length());
    if (from > to) {
      return "";
    }
    machine.reserve(to - from + 1);
    return text.substring((int) from - 1, (int) to);
  }

  private Object format(Args args) {
    var format = args.string(1);
    var result = new StringBuilder();
    int argument = 1;
    for (int i = 0; i < format.length(); ) {
      char c = format.charAt(i++);
      if (c != '%') {
        result.append(c);
      } else if (format.startsWith("%", i)) {
        result.append('%');
        i++;
      } else {
        var conversion = Format.parse(format, i);
        argument++;
        if (argument > args.count()) {
          throw args.bad(argument, "no value");
        }
        var text = converted(args, argument, conversion);
        machine.reserve((long) result.length() + text.length());
        result.append(text);
        i = Format.end(format, i);
      }
    }
    machine.reserve(result.length());
    return result.toString();
  }

  private String converted(Args args, int argument, Format conversion) {
    return switch (conversion.letter()) {
      case 'd', 'i', 'o', 'u', 'x', 'X' -> conversion.integer(args.integer(argument));
      case 'c' -> conversion.string(String.valueOf((char) (args.integer(argument) & 0xff)));
      case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A' -> conversion.floating(args.real(argument));
      case 's' -> text(args, argument, conversion);
      case 'q' -> quoted(args, argument);
      default -> throw unknown(conversion.letter());
    };
  }

  private LuaError unknown(char letter) {
    var shown = letter < 32 || letter > 126 ? "<\\" + (int) letter + ">" : "" + letter;
    return machine.error("invalid option '%" + shown + "' to 'format'");
  }

  private String text(Args args, int argument, Format conversion) {
    var text = machine.tostring(args.any(argument));
    if (!conversion.plain() && text.indexOf('\0') >= 0) {
      throw args.bad(argument, "string contains zeros");
    }
    return conversion.string(text);
  }

  private String quoted(Args args, int argument) {
    var value = args.any(argument);
    if (value instanceof String text) {
      machine.reserve(text.length() * 4L);
      return Format.quoted(text);
    }
    if (value instanceof Double number) {
      return Format.parse("a", 0).floating(number);
    }
    if (value instanceof Table || value instanceof Function) {
      throw args.bad(argument, "value has no literal form");
    }
    return Long.valueOf(Long.MIN_VALUE).equals(value)
        ? "0x8000000000000000"
        : machine.tostring(value);
  }
}
