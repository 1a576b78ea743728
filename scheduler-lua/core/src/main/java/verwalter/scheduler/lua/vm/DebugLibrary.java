package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/**
 * The functions of the debug library (Lua 5.3 manual, 6.10) for calls and metatables. Functions
 * that access variables of other functions, and hooks, are omitted deliberately.
 */
final class DebugLibrary {
  private static final String FIELDS = "nSltufL";

  private final VmState machine;
  private final Table table;

  private DebugLibrary(VmState machine) {
    this.machine = machine;
    this.table = new Table(machine.meter);
  }

  static void install(VmState machine) {
    var library = new DebugLibrary(machine);
    library.add("getinfo", library::information);
    library.add("getmetatable", args -> machine.operations.metatable(args.any(1)));
    library.add("setmetatable", DebugLibrary::setMetatable);
    library.add("traceback", library::traceback);
    machine.globals.set("debug", library.table);
  }

  private void add(String name, Native.Body body) {
    table.set(name, machine.function("debug." + name, body));
  }

  private static Object setMetatable(Args args) {
    if (!(args.get(2) instanceof Table) && !args.absent(2)) {
      throw args.bad(2, "nil or table expected");
    }
    args.table(1).metatable = (Table) args.get(2);
    return args.table(1);
  }

  private @Nullable Object traceback(Args args) {
    var message = args.get(1);
    if (message != null && !(message instanceof String) && !(message instanceof Number)) {
      return message;
    }
    var trace = Traceback.of(machine, (int) args.integer(2, 1));
    return message == null ? trace : Operations.text(message) + "\n" + trace;
  }

  private @Nullable Object information(Args args) {
    var wanted = args.text(2, "nSltufL");
    for (int i = 0; i < wanted.length(); i++) {
      if (FIELDS.indexOf(wanted.charAt(i)) < 0) {
        throw args.bad(2, "invalid option");
      }
    }
    if (args.get(1) instanceof Function function) {
      return information(wanted, function, -1);
    }
    int level = (int) Math.max(-1, Math.min(args.integer(1), Integer.MAX_VALUE));
    var call = machine.level(level);
    if (call == null) {
      return null;
    }
    var function = call instanceof Frame frame ? frame.function : (Function) call;
    return information(wanted, function, level);
  }

  private Table information(String wanted, Function function, int level) {
    var found = new Table(machine.meter);
    var frame = machine.level(level) instanceof Frame at ? at : null;
    var code = function instanceof Closure closure ? closure.code : null;
    if (wanted.indexOf('S') >= 0) {
      source(found, code);
    }
    if (wanted.indexOf('l') >= 0) {
      found.set("currentline", frame == null ? -1L : (long) frame.at.line);
    }
    if (wanted.indexOf('t') >= 0) {
      found.set("istailcall", frame != null && frame.tail);
    }
    if (wanted.indexOf('u') >= 0) {
      found.set("nups", code == null ? 0L : (long) code.captures.length);
      found.set("nparams", code == null ? 0L : (long) code.parameters);
      found.set("isvararg", code == null || code.variadic);
    }
    if (wanted.indexOf('n') >= 0) {
      var name = level < 0 ? null : Traceback.name(machine, level);
      found.set("name", name == null ? null : name.name());
      found.set("namewhat", name == null ? "" : name.kind());
    }
    if (wanted.indexOf('f') >= 0) {
      found.set("func", function);
    }
    return found;
  }

  private static void source(Table found, @Nullable CompiledFunction code) {
    var name = code == null ? "[C]" : code.chunkName;
    found.set("what", code == null ? "C" : code.chunk ? "main" : "Lua");
    found.set("short_src", name);
    found.set("source", code == null ? "=[C]" : "@" + name);
    found.set("linedefined", code == null ? -1L : (long) code.line);
    found.set("lastlinedefined", code == null ? -1L : (long) code.lastLine);
  }
}
