package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.library.ListFunctions;

/** Table manipulation (Lua 5.3 manual, 6.6). */
final class LuajTableLibrary extends ListFunctions<LuaTable, LuaValue> {
  private final LuajState machine;

  private LuajTableLibrary(LuajState machine) {
    super(machine.meter);
    this.machine = machine;
  }

  static void install(LuajState machine) {
    var library = new LuajTableLibrary(machine);
    var table = new LuaTable();
    library.add(table, "concat", args -> machine.string(library.concat(args, args.table(1))));
    library.add(table, "insert", library::insert);
    library.add(table, "move", library::move);
    library.add(table, "pack", library::pack);
    library.add(table, "remove", args -> orNil(library.remove(args, args.table(1))));
    library.add(table, "sort", library::sort);
    library.add(table, "unpack", library::unpack);
    machine.globals.set("table", table);
  }

  private void add(LuaTable table, String name, LuajFunction.Body body) {
    table.set(name, machine.function("table." + name, body));
  }

  @Override
  protected long length(LuaTable table) {
    return table.getmetatable() == null ? table.rawlen() : table.len().tolong();
  }

  @Override
  protected LuaValue get(LuaTable table, long index) {
    return table.get(LuaInteger.valueOf(index));
  }

  @Override
  protected void set(LuaTable table, long index, @Nullable LuaValue value) {
    table.set(LuaInteger.valueOf(index), orNil(value));
  }

  private static LuaValue orNil(@Nullable LuaValue value) {
    return value == null ? LuaValue.NIL : value;
  }

  @Override
  protected @Nullable String textOrNull(@Nullable LuaValue value) {
    if (value instanceof LuaString text) {
      return LuajText.latin1(text);
    }
    return value != null && value.type() == LuaValue.TNUMBER ? LuajText.number(value) : null;
  }

  @Override
  protected String typeName(@Nullable LuaValue value) {
    return machine.typeName(orNil(value));
  }

  private Varargs insert(LuajArgs args) {
    insert(args, args.table(1), args.get(args.count()));
    return LuaValue.NONE;
  }

  private Varargs move(LuajArgs args) {
    var source = args.table(1);
    var destination = args.absent(5) ? source : args.table(5);
    move(args, source, destination);
    return destination;
  }

  private Varargs pack(LuajArgs args) {
    int count = args.count();
    machine.meter.tick((long) count);
    machine.meter.allocate(8L * count);
    var table = new LuaTable(count, 1);
    for (int i = 1; i <= count; i++) {
      table.rawset(i, args.get(i));
    }
    table.rawset("n", LuaInteger.valueOf(count));
    return table;
  }

  private Varargs unpack(LuajArgs args) {
    var table = args.get(1);
    long from = args.integer(2, 1);
    long to = args.absent(3) ? table.len().tolong() : args.integer(3);
    var values = new LuaValue[unpacked(args, from, to)];
    for (int i = 0; i < values.length; i++) {
      values[i] = table.get(LuaInteger.valueOf(from + i));
    }
    return LuaValue.varargsOf(values);
  }

  private Varargs sort(LuajArgs args) {
    var table = args.table(1);
    int size = sortable(args, table);
    if (size > 0) {
      var order = args.absent(2) ? LuaValue.NIL : args.function(2);
      sort(table, new LuaValue[size], (a, b) -> before(orNil(a), orNil(b), order));
    }
    return LuaValue.NONE;
  }

  private boolean before(LuaValue a, LuaValue b, LuaValue order) {
    return order.isnil() ? machine.lessThan(a, b) : order.call(a, b).toboolean();
  }
}
