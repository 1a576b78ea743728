package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A field of a table with a constant key, or a global variable. */
final class Field extends Expr {
  final Expr table;
  final String key;
  private final Name name;

  Field(Expr table, String key, boolean global, int line) {
    super(line);
    this.table = table;
    this.key = key;
    this.name = new Name(global ? "global" : "field", key);
  }

  @Override
  @Nullable Object eval(Frame f) {
    var object = table.eval(f);
    if (object instanceof Table fields) {
      var value = fields.get(key);
      if (value != null || fields.metatable == null) {
        return value;
      }
    }
    f.at = this;
    return f.machine.operations.index(object, key, table.name());
  }

  @Override
  Name calledName() {
    return new Name("metamethod", "__index");
  }

  @Override
  Name name() {
    return name;
  }
}
