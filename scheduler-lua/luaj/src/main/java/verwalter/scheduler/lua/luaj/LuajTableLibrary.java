package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.MergeSort;

/** Table manipulation (Lua 5.3 manual, 6.6). */
final class LuajTableLibrary {
  private static final long MOST_RESULTS = 1_000_000;

  private final LuajState machine;

  private LuajTableLibrary(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    var library = new LuajTableLibrary(machine);
    var table = new LuaTable();
    library.add(table, "concat", library::concat);
    library.add(table, "insert", library::insert);
    library.add(table, "move", library::move);
    library.add(table, "pack", library::pack);
    library.add(table, "remove", library::remove);
    library.add(table, "sort", library::sort);
    library.add(table, "unpack", library::unpack);
    machine.globals.set("table", table);
  }

  private void add(LuaTable table, String name, LuajFunction.Body body) {
    table.set(name, machine.function("table." + name, body));
  }

  private static long length(LuaTable table) {
    return table.getmetatable() == null ? table.rawlen() : table.len().tolong();
  }

  private static LuaValue get(LuaTable table, long index) {
    return table.get(LuaInteger.valueOf(index));
  }

  private static void set(LuaTable table, long index, LuaValue value) {
    table.set(LuaInteger.valueOf(index), value);
  }

  private Varargs concat(LuajArgs args) {
    var table = args.table(1);
    var separator = args.text(2, "");
    long from = args.integer(3, 1);
    long to = args.absent(4) ? length(table) : args.integer(4);
    var result = new StringBuilder();
    for (long i = from; i <= to; i++) {
      machine.meter.tick();
      var value = get(table, i);
      if (!(value instanceof LuaString) && value.type() != LuaValue.TNUMBER) {
        throw machine.error(
            "invalid value ("
                + machine.typeName(value)
                + ") at index "
                + i
                + " in table for 'concat'");
      }
      result.append(
          value instanceof LuaString text ? LuajText.latin1(text) : LuajText.number(value));
      if (i < to) {
        result.append(separator);
      }
      if (result.length() > machine.meter.budget().stringLength()) {
        throw machine.error(machine.meter.tooLong());
      }
    }
    machine.reserve(result.length());
    return machine.string(result);
  }

  private Varargs insert(LuajArgs args) {
    var table = args.table(1);
    long end = length(table) + 1;
    switch (args.count()) {
      case 2 -> set(table, end, args.get(2));
      case 3 -> {
        long position = args.integer(2);
        if (position < 1 || position > end) {
          throw args.bad(2, "position out of bounds");
        }
        machine.meter.tick(end - position);
        for (long i = end; i > position; i--) {
          set(table, i, get(table, i - 1));
        }
        set(table, position, args.get(3));
      }
      default -> throw machine.error("wrong number of arguments to 'insert'");
    }
    return LuaValue.NONE;
  }

  private Varargs remove(LuajArgs args) {
    var table = args.table(1);
    long size = length(table);
    long position = args.integer(2, size);
    boolean inside = position >= 1 && position <= size + 1;
    if (args.count() > 1 && !inside && position != size) {
      throw args.bad(1, "position out of bounds");
    }
    var removed = get(table, position);
    machine.meter.tick(Math.max(size - position, 0));
    for (; position < size; position++) {
      set(table, position, get(table, position + 1));
    }
    set(table, position, LuaValue.NIL);
    return removed;
  }

  private Varargs move(LuajArgs args) {
    var source = args.table(1);
    long from = args.integer(2);
    long to = args.integer(3);
    long target = args.integer(4);
    var destination = args.absent(5) ? source : args.table(5);
    if (to >= from) {
      if (!(from > 0 || to < Long.MAX_VALUE + from)) {
        throw args.bad(3, "too many elements to move");
      }
      if (target > Long.MAX_VALUE - (to - from + 1) + 1) {
        throw args.bad(4, "destination wrap around");
      }
      boolean forward = target > to || target <= from || !source.raweq(destination);
      for (long i = 0; i <= to - from; i++) {
        machine.meter.tick();
        long offset = forward ? i : to - from - i;
        set(destination, target + offset, get(source, from + offset));
      }
    }
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
    if (from > to) {
      return LuaValue.NONE;
    }
    if (to - from >= MOST_RESULTS || to - from < 0) {
      throw machine.error("too many results to unpack");
    }
    int count = (int) (to - from + 1);
    machine.meter.tick((long) count);
    machine.meter.allocate(8L * count);
    var values = new LuaValue[count];
    for (int i = 0; i < count; i++) {
      values[i] = table.get(LuaInteger.valueOf(from + i));
    }
    return LuaValue.varargsOf(values);
  }

  private Varargs sort(LuajArgs args) {
    var table = args.table(1);
    long length = length(table);
    if (length >= Integer.MAX_VALUE) {
      throw args.bad(1, "array too big");
    }
    machine.meter.allocate(16 * Math.max(length, 0));
    int size = (int) length;
    if (size < 2) {
      return LuaValue.NONE;
    }
    var order = args.absent(2) ? LuaValue.NIL : args.function(2);
    machine.meter.tick((long) size);
    var values = new LuaValue[size];
    for (int i = 0; i < size; i++) {
      values[i] = get(table, i + 1);
    }
    MergeSort.<LuaValue>sort(values, (a, b) -> before(a, b, order), machine.meter);
    for (int i = 0; i < size; i++) {
      set(table, i + 1, values[i]);
    }
    return LuaValue.NONE;
  }

  private boolean before(LuaValue a, LuaValue b, LuaValue order) {
    return order.isnil() ? machine.lessThan(a, b) : order.call(a, b).toboolean();
  }
}
