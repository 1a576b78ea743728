package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.MergeSort;

/** Table manipulation (Lua 5.3 manual, 6.6). */
final class TableLibrary {
  private static final long MOST_RESULTS = 1_000_000;

  private final VmState machine;

  private TableLibrary(VmState machine) {
    this.machine = machine;
  }

  static void install(VmState machine) {
    var library = new TableLibrary(machine);
    var table = new Table(machine.meter);
    library.add(table, "concat", library::concat);
    library.add(table, "insert", library::insert);
    library.add(table, "move", library::move);
    library.add(table, "pack", library::pack);
    library.add(table, "remove", library::remove);
    library.add(table, "sort", library::sort);
    library.add(table, "unpack", library::unpack);
    machine.globals.set("table", table);
  }

  private void add(Table table, String name, Native.Body body) {
    table.set(name, machine.function("table." + name, body));
  }

  private long length(@Nullable Object list) {
    if (list instanceof Table table && table.metatable == null) {
      return table.length();
    }
    if (machine.operations.length(list, null) instanceof Long whole) {
      return whole;
    }
    throw machine.error("object length is not an integer");
  }

  private @Nullable Object get(Table table, long index) {
    return table.metatable == null
        ? table.get(index)
        : machine.operations.index(table, index, null);
  }

  private void set(Table table, long index, @Nullable Object value) {
    if (table.metatable == null) {
      table.set(index, value);
    } else {
      machine.operations.setIndex(table, index, value, null);
    }
  }

  private Object concat(Args args) {
    var table = args.table(1);
    var separator = args.string(2, "");
    long from = args.integer(3, 1);
    long to = args.absent(4) ? length(table) : args.integer(4);
    var result = new StringBuilder();
    for (long i = from; i <= to; i++) {
      machine.meter.tick();
      var value = get(table, i);
      if (!(value instanceof String) && !(value instanceof Number)) {
        throw machine.error(
            "invalid value ("
                + Operations.typeName(value)
                + ") at index "
                + i
                + " in table for 'concat'");
      }
      result.append(Operations.text(value));
      if (i == to) {
        break;
      }
      result.append(separator);
      if (result.length() > machine.meter.budget().stringLength()) {
        throw machine.error(machine.meter.tooLong());
      }
    }
    machine.reserve(result.length());
    return result.toString();
  }

  private Object insert(Args args) {
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
    return Values.NONE;
  }

  private @Nullable Object remove(Args args) {
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
    set(table, position, null);
    return removed;
  }

  private Object move(Args args) {
    var source = args.table(1);
    long from = args.integer(2);
    long to = args.integer(3);
    long target = args.integer(4);
    var destination = args.absent(5) ? source : args.table(5);
    if (to < from) {
      return destination;
    }
    if (!(from > 0 || to < Long.MAX_VALUE + from)) {
      throw args.bad(3, "too many elements to move");
    }
    if (target > Long.MAX_VALUE - (to - from + 1) + 1) {
      throw args.bad(4, "destination wrap around");
    }
    boolean forward = target > to || target <= from || !source.equals(destination);
    for (long i = 0; i <= to - from; i++) {
      machine.meter.tick();
      long offset = forward ? i : to - from - i;
      set(destination, target + offset, get(source, from + offset));
    }
    return destination;
  }

  private Object pack(Args args) {
    int count = args.count();
    machine.meter.tick((long) count);
    var table = new Table(machine.meter, 0, 1);
    table.set("n", (long) count);
    table.fill(args.values);
    return table;
  }

  private @Nullable Object unpack(Args args) {
    var list = args.get(1);
    long from = args.integer(2, 1);
    long to;
    if (args.absent(3)) {
      to = list instanceof Table table ? length(table) : length(list);
    } else {
      to = args.integer(3);
    }
    if (from > to) {
      return Values.NONE;
    }
    if (to - from >= MOST_RESULTS || to - from < 0) {
      throw machine.error("too many results to unpack");
    }
    int count = (int) (to - from + 1);
    machine.meter.tick((long) count);
    machine.meter.allocate(8L * count);
    var values = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          list instanceof Table table
              ? get(table, from + i)
              : machine.operations.index(list, from + i, null);
    }
    return Values.of(values);
  }

  private Object sort(Args args) {
    var table = args.table(1);
    long length = length(table);
    if (length < 2) {
      return Values.NONE;
    }
    if (length >= Integer.MAX_VALUE) {
      throw args.bad(1, "array too big");
    }
    int size = (int) length;
    var order = args.absent(2) ? null : args.function(2);
    machine.meter.tick(length);
    machine.meter.allocate(16L * length);
    var values = new @Nullable Object[size];
    for (int i = 0; i < size; i++) {
      values[i] = get(table, i + 1);
    }
    MergeSort.<@Nullable Object>sort(values, (a, b) -> before(a, b, order), machine.meter);
    for (int i = 0; i < size; i++) {
      set(table, i + 1, values[i]);
    }
    return Values.NONE;
  }

  private boolean before(@Nullable Object a, @Nullable Object b, @Nullable Function order) {
    return order == null
        ? machine.operations.less(a, b)
        : Operations.truth(Values.first(order.call(new @Nullable Object[] {a, b})));
  }
}
