package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** Statements that assign variables and fields. */
final class Assignments {
  /** {@code local x = value}. */
  static final class LocalOne extends Stat {
    private final Variable variable;
    private final Expr value;

    LocalOne(Variable variable, Expr value, int line) {
      super(line);
      this.variable = variable;
      this.value = value;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      variable.declare(f, value.eval(f));
      return null;
    }
  }

  /** Any other {@code local}. */
  static final class LocalMany extends Stat {
    private final Variable[] variables;
    private final Expr[] values;

    LocalMany(Variable[] variables, Expr[] values, int line) {
      super(line);
      this.variables = variables;
      this.values = values;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      var list = Expr.list(values, f);
      for (int i = 0; i < variables.length; i++) {
        variables[i].declare(f, i < list.length ? list[i] : null);
      }
      return null;
    }
  }

  /** {@code local function}: the function is visible in its own body. */
  static final class LocalFunction extends Stat {
    private final Variable variable;
    private final MakeClosure function;

    LocalFunction(Variable variable, MakeClosure function, int line) {
      super(line);
      this.variable = variable;
      this.function = function;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      variable.declare(f, null);
      variable.set(f, function.eval(f));
      return null;
    }
  }

  /** {@code x = value} for a local variable. */
  static final class SetVariable extends Stat {
    private final Variable variable;
    private final Expr value;

    SetVariable(Variable variable, Expr value, int line) {
      super(line);
      this.variable = variable;
      this.value = value;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      variable.set(f, value.eval(f));
      return null;
    }
  }

  /** {@code t[k] = value}, including global variables. */
  static final class SetField extends Stat {
    private final Expr table;
    private final Expr key;
    private final Expr value;

    SetField(Expr table, Expr key, Expr value, int line) {
      super(line);
      this.table = table;
      this.key = key;
      this.value = value;
    }

    @Override
    Name calledName() {
      return new Name("metamethod", "__newindex");
    }

    @Override
    @Nullable Signal exec(Frame f) {
      var object = table.eval(f);
      var index = key.eval(f);
      var content = value.eval(f);
      f.at = this;
      assign(f, object, index, content, table);
      return null;
    }
  }

  static void assign(
      Frame f, @Nullable Object object, @Nullable Object key, @Nullable Object value, Expr table) {
    if (object instanceof Table fields && fields.metatable == null) {
      if (key instanceof String text) {
        fields.set(text, value);
      } else if (key instanceof Long number) {
        fields.set(number.longValue(), value);
      } else {
        f.machine.operations.rawSet(fields, key, value);
      }
    } else {
      f.machine.operations.setIndex(object, key, value, table.name());
    }
  }

  /** Several targets: all expressions are evaluated, then assigned from the right. */
  static final class Many extends Stat {
    private final Expr[] targets;
    private final Expr[] values;

    Many(Expr[] targets, Expr[] values, int line) {
      super(line);
      this.targets = targets;
      this.values = values;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      var objects = new @Nullable Object[targets.length];
      var keys = new @Nullable Object[targets.length];
      for (int i = 0; i < targets.length; i++) {
        if (targets[i] instanceof Field field) {
          objects[i] = field.table.eval(f);
          keys[i] = field.key;
        } else if (targets[i] instanceof Element element) {
          objects[i] = element.table.eval(f);
          keys[i] = element.key.eval(f);
        }
      }
      var list = Expr.list(values, f);
      f.at = this;
      for (int i = targets.length - 1; i >= 0; i--) {
        store(f, targets[i], objects[i], keys[i], i < list.length ? list[i] : null);
      }
      return null;
    }

    private static void store(
        Frame f,
        Expr target,
        @Nullable Object object,
        @Nullable Object key,
        @Nullable Object value) {
      if (target instanceof Variable variable) {
        variable.set(f, value);
      } else if (target instanceof Field field) {
        assign(f, object, key, value, field.table);
      } else if (target instanceof Element element) {
        assign(f, object, key, value, element.table);
      }
    }
  }

  private Assignments() {}
}
