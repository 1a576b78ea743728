package verwalter.scheduler.lua.luaj;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;
import verwalter.scheduler.lua.syntax.SyntaxError;
import verwalter.scheduler.lua.text.ChunkName;
import verwalter.scheduler.lua.text.Numerals;

/** The basic functions (Lua 5.3 manual, 6.1), without {@code dofile} and {@code loadfile}. */
final class LuajBaseLibrary {
  private static final LuaValue MODE = LuaValue.valueOf("__mode");
  private static final LuaValue PAIRS = LuaValue.valueOf("__pairs");
  private static final Set<String> COLLECTOR =
      Set.of("collect", "stop", "restart", "count", "step", "setpause", "setstepmul", "isrunning");

  private final LuajState machine;
  private @Nullable Pairs walk;

  private LuajBaseLibrary(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    new LuajBaseLibrary(machine).install();
  }

  private void install() {
    var globals = machine.globals;
    globals.set("_G", globals);
    globals.set("_VERSION", "Lua 5.3");
    add("assert", this::assertion);
    add("collectgarbage", this::collect);
    add("error", this::error);
    add("getmetatable", this::getMetatable);
    var step = new IpairsStep();
    add("ipairs", args -> LuaValue.varargsOf(step, args.any(1), LuaValue.ZERO));
    add("load", this::load);
    add("next", this::next);
    add("pairs", this::pairs);
    add("pcall", args -> machine.protect(args.any(1), args.from(2), null));
    add("print", this::print);
    add("rawequal", args -> LuaValue.valueOf(args.any(1).raweq(args.any(2))));
    add("rawget", args -> args.table(1).rawget(args.any(2)));
    add("rawlen", this::rawLength);
    add("rawset", this::rawSet);
    add("answer", this::answer);
    add("reason", this::reason);
    add("select", this::select);
    add("setmetatable", this::setMetatable);
    add("tonumber", this::toNumber);
    add("tostring", args -> machine.tostring(args.any(1)));
    add("type", args -> LuaValue.valueOf(args.any(1).typename()));
    add("xpcall", args -> machine.protect(args.get(1), args.from(3), args.function(2)));
    var debug = new LuaTable();
    debug.set("traceback", machine.function("debug.traceback", this::traceback));
    globals.set("debug", debug);
  }

  private void add(String name, LuajFunction.Body body) {
    machine.globals.set(name, machine.function(name, body));
  }

  /** The iterator of {@code ipairs}; called so often that it is omitted from tracebacks. */
  private static final class IpairsStep extends VarArgFunction {
    @Override
    public Varargs invoke(Varargs args) {
      int next = args.checkint(2) + 1;
      var value = args.arg1().get(LuaInteger.valueOf(next));
      return value.isnil() ? NIL : varargsOf(LuaInteger.valueOf(next), value);
    }
  }

  /** {@code answer(id, json)}. */
  private Varargs answer(LuajArgs args) {
    var refusal = machine.notes.answer(args.text(1), args.text(2));
    if (refusal.isPresent()) {
      throw args.bad(2, refusal.get());
    }
    return LuaValue.NONE;
  }

  /** {@code reason(role, text)} or {@code reason(role, node, text)}. */
  private Varargs reason(LuajArgs args) {
    boolean node = args.count() > 2;
    machine.notes.reason(
        args.text(1), node ? Optional.of(args.text(2)) : Optional.empty(), args.text(node ? 3 : 2));
    return LuaValue.NONE;
  }

  private Varargs assertion(LuajArgs args) {
    if (args.any(1).toboolean()) {
      return args.from(1);
    }
    throw args.count() < 2 ? machine.error("assertion failed!", -1) : machine.raise(args.get(2));
  }

  private Varargs collect(LuajArgs args) {
    var option = args.text(1, "collect");
    if (!COLLECTOR.contains(option)) {
      throw args.bad(1, "invalid option '" + option + "'");
    }
    return switch (option) {
      case "isrunning", "step" -> LuaValue.TRUE;
      default -> LuaValue.ZERO;
    };
  }

  private Varargs error(LuajArgs args) {
    var value = args.get(1);
    int level = (int) args.integer(2, 1);
    if (value instanceof LuaString text && level > 0) {
      throw machine.raise(machine.string(machine.frames.position(level) + LuajText.latin1(text)));
    }
    throw machine.raise(value);
  }

  private Varargs getMetatable(LuajArgs args) {
    var value = args.any(1);
    var metatable = value instanceof LuaString ? StringMetatable.ofThread() : value.getmetatable();
    if (metatable == null || value.raweq(machine.strings)) {
      return LuaValue.NIL;
    }
    var shield = metatable.rawget("__metatable");
    return shield.isnil() ? metatable : shield;
  }

  private Varargs setMetatable(LuajArgs args) {
    var table = args.table(1);
    var metatable = args.get(2);
    if (args.count() < 2 || !(metatable.isnil() || metatable.istable())) {
      throw args.bad(2, "nil or table expected");
    }
    if (table.raweq(machine.strings)
        || (table.getmetatable() != null && !table.getmetatable().rawget("__metatable").isnil())) {
      throw machine.error("cannot change a protected metatable");
    }
    if (metatable.isnil()) {
      table.setmetatable(null);
      return table;
    }
    var mode = metatable.rawget(MODE);
    metatable.rawset(MODE, LuaValue.NIL); // the time of a collection is not deterministic
    table.setmetatable(metatable);
    if (!mode.isnil()) {
      metatable.rawset(MODE, mode);
    }
    return table;
  }

  private Varargs load(LuajArgs args) {
    var chunk = args.get(1);
    var source = chunk instanceof LuaString text ? LuajText.latin1(text) : pieces(args);
    var name = args.text(2, chunk instanceof LuaString ? source : "=(load)");
    var mode = args.text(3, "bt");
    if (source.startsWith("\u001b") || mode.indexOf('t') < 0) {
      var kind = source.startsWith("\u001b") ? "binary" : "text";
      return failure("attempt to load a " + kind + " chunk (mode is '" + mode + "')");
    }
    try {
      var environment = args.count() >= 4 ? args.get(4) : machine.globals;
      return machine.compile(ChunkName.shown(name), source, environment);
    } catch (SyntaxError problem) {
      return failure(String.valueOf(problem.getMessage()));
    }
  }

  private static Varargs failure(String message) {
    return LuaValue.varargsOf(LuaValue.NIL, LuajText.lua(message));
  }

  private String pieces(LuajArgs args) {
    var reader = args.function(1);
    var source = new StringBuilder();
    while (true) {
      var piece = reader.call();
      if (piece.isnil()) {
        return source.toString();
      }
      if (!(piece instanceof LuaString text)) {
        throw machine.error("reader function must return a string");
      }
      if (text.m_length == 0) {
        return source.toString();
      }
      machine.reserve((long) source.length() + text.m_length);
      source.append(LuajText.latin1(text));
    }
  }

  private Varargs next(LuajArgs args) {
    var table = args.table(1);
    var key = args.get(2);
    var current = walk;
    if (key.isnil() || current == null || !current.walks(table)) {
      current = new Pairs(machine, table);
    }
    if (!key.isnil() && !current.after(key)) {
      current = new Pairs(machine, table);
      if (!current.after(key)) {
        throw machine.error("invalid key to 'next'");
      }
    }
    walk = current;
    return current.step();
  }

  private Varargs pairs(LuajArgs args) {
    var value = args.any(1);
    var method = value.metatag(PAIRS);
    if (!method.isnil()) {
      var three = method.invoke(value);
      return LuaValue.varargsOf(three.arg(1), three.arg(2), three.arg(3));
    }
    var table = args.table(1);
    return LuaValue.varargsOf(new Pairs(machine, table), table, LuaValue.NIL);
  }

  private Varargs print(LuajArgs args) {
    var line = new StringBuilder();
    var convert = machine.globals.get("tostring");
    for (int i = 1; i <= args.count(); i++) {
      if (!(convert.call(args.get(i)) instanceof LuaString text)) {
        throw machine.error("'tostring' must return a string to 'print'");
      }
      line.append(i > 1 ? "\t" : "").append(LuajText.latin1(text));
    }
    machine.print(line.append('\n').toString());
    return LuaValue.NONE;
  }

  private Varargs rawLength(LuajArgs args) {
    var value = args.get(1);
    if (!value.istable() && !(value instanceof LuaString)) {
      throw args.bad(1, "table or string expected");
    }
    return LuaValue.valueOf(value.rawlen());
  }

  private Varargs rawSet(LuajArgs args) {
    var table = args.table(1);
    var key = args.any(2);
    if (key.isnil()) {
      throw machine.error("table index is nil");
    }
    table.rawset(key, args.any(3));
    return table;
  }

  private Varargs select(LuajArgs args) {
    if (args.get(1) instanceof LuaString text && text.m_length > 0 && text.luaByte(0) == '#') {
      return LuaValue.valueOf(args.count() - 1);
    }
    long index = args.integer(1);
    if (index < 0) {
      index = args.count() + index;
    }
    if (index < 1) {
      throw args.bad(1, "index out of range");
    }
    return index >= args.count() ? LuaValue.NONE : args.from((int) index + 1);
  }

  private Varargs toNumber(LuajArgs args) {
    if (args.absent(2)) {
      var number = LuajState.number(args.any(1));
      return number == null ? LuaValue.NIL : number;
    }
    long base = args.integer(2);
    if (!(args.get(1) instanceof LuaString text)) {
      throw args.bad(1, "string expected, got " + machine.typeName(args.get(1)));
    }
    if (base < 2 || base > 36) {
      throw args.bad(2, "base out of range");
    }
    var number = Numerals.parse(LuajText.latin1(text), (int) base);
    return number == null ? LuaValue.NIL : LuajText.number(number);
  }

  private Varargs traceback(LuajArgs args) {
    var message = args.get(1);
    if (!message.isnil() && !message.isstring()) {
      return message;
    }
    var trace = machine.frames.traceback((int) args.integer(2, 1));
    return LuajText.utf8(message.isnil() ? trace : message.tojstring() + "\n" + trace);
  }
}
