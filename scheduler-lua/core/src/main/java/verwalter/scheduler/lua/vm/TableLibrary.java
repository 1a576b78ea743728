package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.ListFunctions;

/** Table manipulation (Lua 5.3 manual, 6.6). */
final class TableLibrary extends ListFunctions<Table, Object> {
  private final VmState machine;

  private TableLibrary(VmState machine) {
    super(machine.meter);
    this.machine = machine;
  }

  static void install(VmState machine) {
    var library = new TableLibrary(machine);
    var table = new Table(machine.meter);
    library.add(table, "concat", args -> library.concat(args, args.table(1)));
    library.add(table, "insert", library::insert);
    library.add(table, "move", library::move);
    library.add(table, "pack", library::pack);
    library.add(table, "remove", args -> library.remove(args, args.table(1)));
    library.add(table, "sort", library::sort);
    library.add(table, "unpack", library::unpack);
    machine.globals.set("table", table);
  }

  private void add(Table table, String name, Native.Body body) {
    table.set(name, machine.function("table." + name, body));
  }

  @Override
  protected long length(Table list) {
    return list.metatable == null ? list.length() : lengthOf(list);
  }

  private long lengthOf(@Nullable Object list) {
    if (machine.operations.length(list, null) instanceof Long whole) {
      return whole;
    }
    throw machine.error("object length is not an integer");
  }

  @Override
  protected @Nullable Object get(Table table, long index) {
    return table.metatable == null
        ? table.get(index)
        : machine.operations.index(table, index, null);
  }

  @Override
  protected void set(Table table, long index, @Nullable Object value) {
    if (table.metatable == null) {
      table.set(index, value);
    } else {
      machine.operations.setIndex(table, index, value, null);
    }
  }

  @Override
  protected @Nullable String textOrNull(@Nullable Object value) {
    return value instanceof String || value instanceof Number ? Operations.text(value) : null;
  }

  @Override
  protected String typeName(@Nullable Object value) {
    return Operations.typeName(value);
  }

  private Object insert(Args args) {
    insert(args, args.table(1), args.get(args.count()));
    return Results.NONE;
  }

  private Object move(Args args) {
    var source = args.table(1);
    var destination = args.absent(5) ? source : args.table(5);
    move(args, source, destination);
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
      to = list instanceof Table table ? length(table) : lengthOf(list);
    } else {
      to = args.integer(3);
    }
    int count = unpacked(args, from, to);
    var values = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          list instanceof Table table
              ? get(table, from + i)
              : machine.operations.index(list, from + i, null);
    }
    return Results.of(values);
  }

  private Object sort(Args args) {
    var table = args.table(1);
    int size = sortable(args, table);
    if (size > 0) {
      var order = args.absent(2) ? null : args.function(2);
      sort(table, new @Nullable Object[size], (a, b) -> before(a, b, order));
    }
    return Results.NONE;
  }

  private boolean before(@Nullable Object a, @Nullable Object b, @Nullable Function order) {
    return order == null
        ? machine.operations.less(a, b)
        : Operations.truth(Results.first(order.call(new @Nullable Object[] {a, b})));
  }
}
