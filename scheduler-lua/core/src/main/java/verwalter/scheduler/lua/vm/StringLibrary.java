package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.StringFunctions;
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
    library.add("char", StringFunctions::chars);
    library.add("dump", library::dump);
    library.add(
        "format", args -> StringFunctions.format(args, index -> library.quoted(args, index)));
    library.add("len", args -> (long) args.text(1).length());
    library.add("lower", StringFunctions::lower);
    library.add("rep", StringFunctions::repeat);
    library.add("reverse", StringFunctions::reverse);
    library.add("sub", library::sub);
    library.add("upper", StringFunctions::upper);
    SearchLibrary.install(machine);
    PackLibrary.install(machine);
    machine.globals.set("string", machine.strings);
    machine.stringMetatable.set("__index", machine.strings);
  }

  private void add(String name, Native.Body body) {
    machine.strings.set(name, machine.function("string." + name, body));
  }

  private @Nullable Object bytes(Args args) {
    var text = args.text(1);
    var range = StringFunctions.byteRange(args, text.length());
    if (range == null) {
      return Results.NONE;
    }
    if (range.size() == 1) {
      return (long) text.charAt(range.from());
    }
    machine.reserve(range.size() * 8L);
    var values = new @Nullable Object[range.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) text.charAt(range.from() + i);
    }
    return values;
  }

  private Object dump(Args args) {
    args.function(1);
    throw machine.error("unable to dump given function: binary chunks are not supported");
  }

  private Object sub(Args args) {
    var text = args.text(1);
    var range = StringFunctions.subRange(args, text.length());
    if (range == null) {
      return "";
    }
    machine.reserve(range.size());
    return text.substring(range.from(), range.to());
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
