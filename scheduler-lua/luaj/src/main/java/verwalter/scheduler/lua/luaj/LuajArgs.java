package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.library.LibraryCall;
import verwalter.scheduler.lua.library.Name;
import verwalter.scheduler.lua.text.Numerals;

/** A call of a library function, with the values that it was given. */
final class LuajArgs extends LibraryCall {
  private final LuajState machine;
  private final Varargs values;

  LuajArgs(LuajState machine, String function, Varargs values) {
    super(function);
    this.machine = machine;
    this.values = values;
  }

  @Override
  public int count() {
    return values.narg();
  }

  LuaValue get(int index) {
    return values.arg(index);
  }

  LuaValue any(int index) {
    need(index);
    return values.arg(index);
  }

  Varargs from(int index) {
    return values.subargs(index);
  }

  @Override
  public boolean absent(int index) {
    return values.arg(index).isnil();
  }

  LuaTable table(int index) {
    if (values.arg(index) instanceof LuaTable table) {
      return table;
    }
    throw wrong(index, "table");
  }

  LuaValue function(int index) {
    var value = values.arg(index);
    if (value.isfunction()) {
      return value;
    }
    throw wrong(index, "function");
  }

  LuaString string(int index) {
    var value = values.arg(index);
    if (value instanceof LuaString string) {
      return string;
    }
    if (value.type() == LuaValue.TNUMBER) {
      return LuajText.lua(LuajText.number(value));
    }
    throw wrong(index, "string");
  }

  @Override
  public String text(int index) {
    return LuajText.latin1(string(index));
  }

  @Override
  public String tostring(int index) {
    return LuajText.latin1(machine.tostring(any(index)));
  }

  @Override
  protected @Nullable Number numberOrNull(int index) {
    var value = values.arg(index);
    if (value instanceof LuaInteger whole) {
      return (long) whole.v;
    }
    if (value.type() == LuaValue.TNUMBER) {
      return value.todouble();
    }
    return value instanceof LuaString text ? Numerals.parse(LuajText.latin1(text)) : null;
  }

  @Override
  protected String typeName(int index) {
    return machine.typeName(values.arg(index));
  }

  @Override
  protected @Nullable Name called() {
    return Registers.called(machine.frames, 1);
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
