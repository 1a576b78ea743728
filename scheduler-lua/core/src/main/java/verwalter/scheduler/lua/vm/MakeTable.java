package verwalter.scheduler.lua.vm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table constructor. */
final class MakeTable extends Expr {
  private final Expr[] items;
  private final Expr[] keys;
  private final Expr[] values;
  private final boolean[] order; // true for an item

  MakeTable(Expr[] items, Expr[] keys, Expr[] values, List<Boolean> order, int line) {
    super(line);
    this.items = items;
    this.keys = keys;
    this.values = values;
    this.order = new boolean[order.size()];
    for (int i = 0; i < this.order.length; i++) {
      this.order[i] = order.get(i);
    }
  }

  @Override
  Table eval(Frame f) {
    f.at = this;
    var table = new Table(f.machine.meter, 0, keys.length);
    if (keys.length == 0) {
      table.fill(list(items, f));
      return table;
    }
    // fields are set in order; items, as in PUC Lua, after all are evaluated
    boolean open = order[order.length - 1] && items[items.length - 1].multiple();
    var list = new @Nullable Object[open ? items.length - 1 : items.length];
    @Nullable Object rest = Results.NONE;
    int item = 0;
    int field = 0;
    for (boolean positional : order) {
      if (!positional) {
        set(f, table, field++);
      } else if (item < list.length) {
        list[item] = items[item].eval(f);
        item++;
      } else {
        rest = items[item].evalAll(f);
      }
    }
    table.fill(join(list, rest, f));
    return table;
  }

  private void set(Frame f, Table table, int field) {
    var key = keys[field].eval(f);
    var value = values[field].eval(f);
    f.at = this;
    f.machine.operations.rawSet(table, key, value);
  }
}
