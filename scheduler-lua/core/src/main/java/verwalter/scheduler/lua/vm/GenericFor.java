package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** {@code for a, b in ...}. Iteration over plain tables needs no calls. */
final class GenericFor extends Stat {
  private final Variable[] variables;
  private final Expr[] values;
  private final Block body;
  private final CodePlace call;

  GenericFor(Variable[] variables, Expr[] values, Block body, int line) {
    super(line);
    this.variables = variables;
    this.values = values;
    this.body = body;
    this.call = new Iteration(line);
  }

  /** The call of the iterator, which has no position in the source. */
  private static final class Iteration extends CodePlace {
    Iteration(int line) {
      super(line);
    }

    @Override
    Name calledName() {
      return new Name("for iterator", "for iterator");
    }
  }

  @Override
  @Nullable Signal exec(Frame f) {
    var list = Expr.list(values, f);
    var iterator = list.length > 0 ? list[0] : null;
    var state = list.length > 1 ? list[1] : null;
    var control = list.length > 2 ? list[2] : null;
    if (iterator == f.machine.next && state instanceof Table table && control == null) {
      return pairs(f, table);
    }
    if (iterator == f.machine.nextItem
        && state instanceof Table table
        && table.metatable == null
        && Long.valueOf(0).equals(control)) {
      return items(f, table);
    }
    while (true) {
      f.at = call;
      f.machine.meter.tick();
      var results = f.machine.call(iterator, state, control);
      control = Results.first(results);
      if (control == null) {
        return null;
      }
      variables[0].declare(f, control);
      for (int i = 1; i < variables.length; i++) {
        variables[i].declare(f, Results.get(results, i));
      }
      var signal = body.exec(f);
      if (signal != null) {
        return signal == Signal.BREAK ? null : signal;
      }
    }
  }

  private @Nullable Signal pairs(Frame f, Table table) {
    for (int cursor = table.advance(0); cursor >= 0; cursor = table.advance(cursor + 1)) {
      f.at = call;
      f.machine.meter.tick();
      var signal = turn(f, table.keyAt(cursor), table.valueAt(cursor));
      if (signal != null) {
        return signal == Signal.BREAK ? null : signal;
      }
    }
    return null;
  }

  private @Nullable Signal items(Frame f, Table table) {
    for (long index = 1; ; index++) {
      f.at = call;
      f.machine.meter.tick();
      var item = f.machine.operations.item(table, index);
      if (item == null) {
        return null;
      }
      var signal = turn(f, index, item);
      if (signal != null) {
        return signal == Signal.BREAK ? null : signal;
      }
    }
  }

  private @Nullable Signal turn(Frame f, Object key, @Nullable Object value) {
    variables[0].declare(f, key);
    if (variables.length > 1) {
      variables[1].declare(f, value);
      for (int i = 2; i < variables.length; i++) {
        variables[i].declare(f, null);
      }
    }
    return body.exec(f);
  }
}
