package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A field of a table whose key is computed. */
final class Element extends Expr {
  final Expr table;
  final Expr key;

  Element(Expr table, Expr key, int line) {
    super(line);
    this.table = table;
    this.key = key;
  }

  @Override
  @Nullable Object eval(Frame f) {
    var object = table.eval(f);
    var index = key.eval(f);
    if (object instanceof Table fields) {
      var value = fields.get(index);
      if (value != null || fields.metatable == null) {
        return value;
      }
    }
    f.at = this;
    return f.machine.operations.index(object, index, table.name());
  }

  @Override
  Name calledName() {
    return new Name("metamethod", "__index");
  }

  @Override
  Name name() {
    return new Name("field", "?");
  }
}
