package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/**
 * The module {@code verwalter/json} of this engine. Its results and messages are the same as those
 * of {@code json.lua}, which other engines run.
 */
final class JsonLibrary {
  /** The path of the module that this one replaces. */
  static final String PATH = "verwalter/json.lua";

  /** The field of a metatable that defines how a table is written. */
  static final String MARK = "__json";

  static final String ARRAY = "array";
  static final String OBJECT = "object";

  /** The maximum depth of arrays and objects. */
  static final int DEEPEST = 200;

  private final VmState machine;
  private final Table array;
  private final Table object;

  private JsonLibrary(VmState machine) {
    this.machine = machine;
    this.array = mark(ARRAY);
    this.object = mark(OBJECT);
  }

  /** A new instance of the module. */
  static Table module(VmState machine) {
    var library = new JsonLibrary(machine);
    var module = new Table(machine.meter);
    library.add(module, OBJECT, args -> library.marked(args, OBJECT, library.object));
    library.add(module, ARRAY, args -> library.marked(args, ARRAY, library.array));
    library.add(module, "encode", args -> new JsonWriter(machine).text(args.get(1)));
    library.add(module, "decode", library::decode);
    return module;
  }

  private void add(Table module, String name, Native.Body body) {
    module.set(name, machine.function("json." + name, body));
  }

  private Table mark(String kind) {
    var metatable = new Table(machine.meter);
    metatable.set(MARK, kind);
    return metatable;
  }

  private Object marked(Args args, String function, Table mark) {
    var value = args.get(1);
    if (!Operations.truth(value)) {
      return marked(new Table(machine.meter), mark);
    }
    if (value instanceof Table table) {
      if (machine.operations.metamethod(table, "__metatable") != null) {
        throw machine.error("cannot change a protected metatable");
      }
      return marked(table, mark);
    }
    throw machine.raise(wanted(function, "table", value));
  }

  private static Table marked(Table table, Table mark) {
    table.metatable = mark;
    return table;
  }

  private @Nullable Object decode(Args args) {
    if (args.get(1) instanceof String text) {
      return new JsonReader(machine, text, array, object).value();
    }
    throw machine.raise(wanted("decode", "string", args.get(1)));
  }

  private static String wanted(String function, String kind, @Nullable Object value) {
    return "json." + function + ": " + kind + " expected, got " + Operations.typeName(value);
  }
}
