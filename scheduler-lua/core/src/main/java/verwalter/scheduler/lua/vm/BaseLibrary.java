package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.syntax.SyntaxError;
import verwalter.scheduler.lua.text.ChunkName;
import verwalter.scheduler.lua.text.Numerals;

/** The basic functions (Lua 5.3 manual, 6.1), without {@code dofile} and {@code loadfile}. */
final class BaseLibrary {
  private static final Set<String> COLLECTOR =
      Set.of("collect", "stop", "restart", "count", "step", "setpause", "setstepmul", "isrunning");

  private final VmState machine;

  private BaseLibrary(VmState machine) {
    this.machine = machine;
  }

  static void install(VmState machine) {
    new BaseLibrary(machine).install();
  }

  private void install() {
    var globals = machine.globals;
    globals.set("_G", globals);
    globals.set("_VERSION", "Lua 5.3");
    add("assert", this::assertion);
    add("collectgarbage", BaseLibrary::collect);
    add("error", this::error);
    add("getmetatable", this::getMetatable);
    var step = machine.function("for iterator", this::item);
    machine.nextItem = step;
    add("ipairs", args -> walk(args, "__ipairs", step, 0L));
    add("load", this::load);
    var next = machine.function("next", this::next);
    machine.next = next;
    globals.set("next", next);
    add("pairs", args -> walk(args, "__pairs", next, null));
    add("pcall", args -> machine.protect(args.any(1), rest(args, 1), null));
    add("print", this::print);
    add("rawequal", args -> Operations.rawEqual(args.any(1), args.any(2)));
    add("rawget", args -> args.table(1).get(args.any(2)));
    add("rawlen", BaseLibrary::rawLength);
    add("rawset", this::rawSet);
    add("answer", this::answer);
    add("reason", this::reason);
    add("select", BaseLibrary::select);
    add("setmetatable", this::setMetatable);
    add("tonumber", BaseLibrary::toNumber);
    add("tostring", args -> machine.tostring(args.any(1)));
    add("type", args -> Operations.typeName(args.any(1)));
    add("xpcall", args -> machine.protect(args.get(1), rest(args, 2), args.function(2)));
  }

  private void add(String name, Native.Body body) {
    machine.globals.set(name, machine.function(name, body));
  }

  private static @Nullable Object[] rest(Args args, int from) {
    return from >= args.count()
        ? Results.NONE
        : Arrays.copyOfRange(args.values, from, args.count());
  }

  private @Nullable Object item(Args args) {
    long next = args.integer(2) + 1;
    var list = args.get(1);
    var value =
        list instanceof Table table
            ? machine.operations.item(table, next)
            : machine.operations.index(list, next, null);
    return value == null ? null : Results.of(next, value);
  }

  /** {@code answer(id, json)}. */
  private @Nullable Object answer(Args args) {
    var refusal = machine.notes.answer(args.text(1), args.text(2));
    if (refusal.isPresent()) {
      throw args.bad(2, refusal.get());
    }
    return null;
  }

  /** {@code reason(role, text)} or {@code reason(role, node, text)}. */
  private @Nullable Object reason(Args args) {
    boolean node = args.count() > 2;
    machine.notes.reason(
        args.text(1), node ? Optional.of(args.text(2)) : Optional.empty(), args.text(node ? 3 : 2));
    return null;
  }

  private @Nullable Object assertion(Args args) {
    if (Operations.truth(args.any(1))) {
      return Results.of(args.values);
    }
    var message = args.count() < 2 ? "assertion failed!" : args.get(2);
    throw machine.raise(message instanceof String text ? machine.position(1) + text : message);
  }

  private static Object collect(Args args) {
    var option = args.text(1, "collect");
    if (!COLLECTOR.contains(option)) {
      throw args.bad(1, "invalid option '" + option + "'");
    }
    return switch (option) {
      case "isrunning", "step" -> true;
      case "count" -> 0.0;
      default -> 0L;
    };
  }

  private Object error(Args args) {
    var value = args.get(1);
    int level = (int) args.integer(2, 1);
    throw machine.raise(
        value instanceof String text && level > 0 ? machine.position(level) + text : value);
  }

  private @Nullable Object getMetatable(Args args) {
    var metatable = machine.operations.metatable(args.any(1));
    if (metatable == null) {
      return null;
    }
    var shield = metatable.get("__metatable");
    return shield == null ? metatable : shield;
  }

  private Object setMetatable(Args args) {
    var table = args.table(1);
    var metatable = args.get(2);
    if (args.count() < 2 || !(metatable == null || metatable instanceof Table)) {
      throw args.bad(2, "nil or table expected");
    }
    if (machine.operations.metamethod(table, "__metatable") != null) {
      throw machine.error("cannot change a protected metatable");
    }
    table.metatable = (Table) metatable;
    return table;
  }

  private @Nullable Object load(Args args) {
    var chunk = args.get(1);
    boolean whole = chunk instanceof String || chunk instanceof Number;
    var text = whole ? args.text(1) : null;
    var reader = whole ? null : args.function(1);
    var name = args.text(2, text == null ? "=(load)" : text);
    var mode = args.text(3, "bt");
    if (reader != null) {
      var read =
          machine.protect(machine.function("load", each -> pieces(reader)), Results.NONE, null);
      if (!Boolean.TRUE.equals(read[0])) {
        return Results.of(null, read[1]);
      }
      text = (String) read[1];
    }
    var source = String.valueOf(text);
    if (source.startsWith("\u001b") || mode.indexOf('t') < 0) {
      var kind = source.startsWith("\u001b") ? "binary" : "text";
      return Results.of(null, "attempt to load a " + kind + " chunk (mode is '" + mode + "')");
    }
    try {
      var environment = args.count() >= 4 ? args.get(4) : machine.globals;
      return machine.compile(ChunkName.shown(name), source, environment);
    } catch (SyntaxError problem) {
      return Results.of(null, problem.getMessage());
    }
  }

  private String pieces(Function reader) {
    var source = new StringBuilder();
    while (true) {
      var piece = Results.first(reader.call(Results.NONE));
      if (piece == null || "".equals(piece)) {
        return source.toString();
      }
      if (!(piece instanceof String) && !(piece instanceof Number)) {
        throw machine.error("reader function must return a string");
      }
      var text = Operations.text(piece);
      machine.reserve((long) source.length() + text.length());
      source.append(text);
    }
  }

  private @Nullable Object next(Args args) {
    var table = args.table(1);
    var key = args.get(2);
    int from = key == null ? 0 : table.after(key);
    if (from < 0) {
      throw machine.error("invalid key to 'next'");
    }
    int cursor = table.advance(from);
    machine.meter.tick((long) ((cursor < 0 ? table.end() : cursor) - from) >> 4);
    return cursor < 0 ? null : Results.of(table.keyAt(cursor), table.valueAt(cursor));
  }

  /**
   * The iterator, state and first control value of a {@code for}, unless a metamethod gives them.
   */
  private @Nullable Object walk(
      Args args, String event, Function iterator, @Nullable Object control) {
    var value = args.any(1);
    var method = machine.operations.metamethod(value, event);
    if (method != null) {
      var three = machine.call(method, value);
      return Results.of(Results.get(three, 0), Results.get(three, 1), Results.get(three, 2));
    }
    return Results.of(iterator, control == null ? args.table(1) : value, control);
  }

  private Object print(Args args) {
    var line = new StringBuilder();
    var convert = machine.globals.get("tostring");
    for (int i = 1; i <= args.count(); i++) {
      var text = Results.first(machine.call(convert, args.get(i)));
      if (!(text instanceof String) && !(text instanceof Number)) {
        throw machine.error("'tostring' must return a string to 'print'");
      }
      line.append(i > 1 ? "\t" : "").append(Operations.text(text));
    }
    machine.print(line.append('\n').toString());
    return Results.NONE;
  }

  private static Object rawLength(Args args) {
    if (args.get(1) instanceof Table table) {
      return table.length();
    }
    if (args.get(1) instanceof String text) {
      return (long) text.length();
    }
    throw args.bad(1, "table or string expected");
  }

  private Object rawSet(Args args) {
    var table = args.table(1);
    machine.operations.rawSet(table, args.any(2), args.any(3));
    return table;
  }

  private static @Nullable Object select(Args args) {
    if (args.get(1) instanceof String text && text.startsWith("#")) {
      return args.count() - 1L;
    }
    long index = args.integer(1);
    if (index < 0) {
      index = args.count() + index;
    }
    if (index < 1) {
      throw args.bad(1, "index out of range");
    }
    args.machine.meter.tick(Math.max(args.count() - index, 0) >> 4);
    return index >= args.count() ? Results.NONE : Results.from(args.values, (int) index);
  }

  private static @Nullable Object toNumber(Args args) {
    if (args.absent(2)) {
      return Operations.number(args.any(1));
    }
    long base = args.integer(2);
    if (!(args.get(1) instanceof String text)) {
      throw args.bad(1, "string expected, got " + Operations.typeName(args.get(1)));
    }
    if (base < 2 || base > 36) {
      throw args.bad(2, "base out of range");
    }
    return Numerals.parse(text, (int) base);
  }
}
