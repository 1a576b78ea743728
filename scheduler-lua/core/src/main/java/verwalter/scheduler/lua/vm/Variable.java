package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A local variable of this or an enclosing function. */
abstract class Variable extends Expr {
  private final Name name;

  Variable(Name name) {
    super(0);
    this.name = name;
  }

  abstract void set(Frame f, @Nullable Object value);

  /** Initializes a new variable. */
  void declare(Frame f, @Nullable Object value) {
    set(f, value);
  }

  @Override
  Name name() {
    return name;
  }

  /** A variable that only its own function uses. */
  static final class Slot extends Variable {
    final int slot;

    Slot(int slot, String name) {
      super(new Name("local", name));
      this.slot = slot;
    }

    @Override
    @Nullable Object eval(Frame f) {
      return f.slots[slot];
    }

    @Override
    void set(Frame f, @Nullable Object value) {
      f.slots[slot] = value;
    }
  }

  /** A variable that nested functions use too. */
  static final class Shared extends Variable {
    private final int slot;

    Shared(int slot, String name) {
      super(new Name("local", name));
      this.slot = slot;
    }

    private Cell cell(Frame f) {
      if (f.slots[slot] instanceof Cell cell) {
        return cell;
      }
      throw new IllegalStateException("the variable has not been declared");
    }

    @Override
    @Nullable Object eval(Frame f) {
      return cell(f).value;
    }

    @Override
    void set(Frame f, @Nullable Object value) {
      cell(f).value = value;
    }

    @Override
    void declare(Frame f, @Nullable Object value) {
      f.slots[slot] = new Cell(value);
    }
  }

  /** The chunk's own environment, which the manual calls an upvalue. */
  static final class Environment extends Variable {
    private final Variable place;

    Environment(int slot, boolean captured) {
      super(new Name("upvalue", "_ENV"));
      place = captured ? new Shared(slot, "_ENV") : new Slot(slot, "_ENV");
    }

    @Override
    @Nullable Object eval(Frame f) {
      return place.eval(f);
    }

    @Override
    void set(Frame f, @Nullable Object value) {
      place.set(f, value);
    }
  }

  /** A variable of an enclosing function. */
  static final class Upvalue extends Variable {
    private final int index;

    Upvalue(int index, String name) {
      super(new Name("upvalue", name));
      this.index = index;
    }

    @Override
    @Nullable Object eval(Frame f) {
      return f.function.upvalues[index].value;
    }

    @Override
    void set(Frame f, @Nullable Object value) {
      f.function.upvalues[index].value = value;
    }
  }
}
