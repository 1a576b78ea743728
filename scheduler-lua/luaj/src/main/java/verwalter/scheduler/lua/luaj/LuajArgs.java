package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.text.Numerals;

/**
 * The arguments of a library function, checked as Lua's own libraries do.
 *
 * @param function what messages call the function
 */
record LuajArgs(LuajState machine, String function, Varargs values) {
  int count() {
    return values.narg();
  }

  LuaValue get(int index) {
    return values.arg(index);
  }

  LuaValue any(int index) {
    if (index > values.narg()) {
      throw bad(index, "value expected");
    }
    return values.arg(index);
  }

  Varargs from(int index) {
    return values.subargs(index);
  }

  boolean absent(int index) {
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

  String text(int index) {
    return LuajText.latin1(string(index));
  }

  String text(int index, String otherwise) {
    return absent(index) ? otherwise : text(index);
  }

  double number(int index) {
    var value = values.arg(index);
    if (value.type() == LuaValue.TNUMBER) {
      return value.todouble();
    }
    var read = value instanceof LuaString text ? Numerals.parse(LuajText.latin1(text)) : null;
    if (read == null) {
      throw wrong(index, "number");
    }
    return read.doubleValue();
  }

  long integer(int index) {
    var value = values.arg(index);
    if (value instanceof LuaInteger whole) {
      return whole.v;
    }
    double number = number(index);
    var exact = Numerals.exact(number);
    if (exact == null) {
      throw bad(index, "number has no integer representation");
    }
    return exact;
  }

  long integer(int index, long otherwise) {
    return absent(index) ? otherwise : integer(index);
  }

  LuaError bad(int index, String problem) {
    var called = Registers.called(machine.frames, 1);
    var name = called == null ? function : called.name();
    if (called != null && called.kind().equals("method")) {
      return index == 1
          ? machine.error("calling '" + name + "' on bad self (" + problem + ")")
          : argument(index - 1, name, problem);
    }
    return argument(index, name, problem);
  }

  private LuaError argument(int index, String name, String problem) {
    return machine.error("bad argument #" + index + " to '" + name + "' (" + problem + ")");
  }

  private LuaError wrong(int index, String expected) {
    var got = index > values.narg() ? "no value" : machine.typeName(values.arg(index));
    return bad(index, expected + " expected, got " + got);
  }
}
