package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.library.LibraryCall;
import verwalter.scheduler.lua.library.Name;

/** A call of a library function, with the values that it was given. */
final class Args extends LibraryCall {
  final VmState machine;
  final @Nullable Object[] values;

  Args(VmState machine, String function, @Nullable Object[] values) {
    super(function);
    this.machine = machine;
    this.values = values;
  }

  /** The arguments followed by nil, with which some of Lua's functions mark their end. */
  Args marked() {
    return new Args(machine, function(), Arrays.copyOf(values, values.length + 1));
  }

  @Override
  public int count() {
    return values.length;
  }

  @Nullable Object get(int index) {
    return index <= values.length ? values[index - 1] : null;
  }

  @Nullable Object any(int index) {
    need(index);
    return values[index - 1];
  }

  @Override
  public boolean absent(int index) {
    return get(index) == null;
  }

  Table table(int index) {
    if (get(index) instanceof Table table) {
      return table;
    }
    throw wrong(index, "table");
  }

  Function function(int index) {
    if (get(index) instanceof Function found) {
      return found;
    }
    throw wrong(index, "function");
  }

  @Override
  public String text(int index) {
    var value = get(index);
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof Number) {
      return Operations.text(value);
    }
    throw wrong(index, "string");
  }

  @Override
  public String tostring(int index) {
    return machine.tostring(any(index));
  }

  @Override
  protected @Nullable Number numberOrNull(int index) {
    return Operations.number(get(index));
  }

  @Override
  protected String typeName(int index) {
    return machine.operations.described(get(index));
  }

  @Override
  protected @Nullable Name called() {
    return machine.level(1) instanceof Frame caller ? caller.at.calledName() : null;
  }

  @Override
  public LuaError error(String message) {
    return machine.error(message);
  }

  @Override
  public Meter meter() {
    return machine.meter;
  }

  @Override
  public void reserve(long length) {
    machine.reserve(length);
  }
}
