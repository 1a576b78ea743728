package verwalter.scheduler.lua.luaj;

import java.util.function.Function;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.library.Replacements;
import verwalter.scheduler.lua.library.SearchFunctions;
import verwalter.scheduler.lua.library.StringFunctions;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Pattern;

/**
 * String manipulation (Lua 5.3 manual, 6.4), without {@code dump}, {@code pack} and {@code unpack}.
 */
final class LuajStringLibrary {
  private final LuajState machine;

  private LuajStringLibrary(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    new LuajStringLibrary(machine).install();
  }

  private void install() {
    var strings = machine.strings;
    add("byte", this::bytes);
    addText("char", StringFunctions::chars);
    add("find", args -> find(args, true));
    addText("format", args -> StringFunctions.format(args, index -> quoted(args, index)));
    add("gmatch", this::gmatch);
    add("gsub", this::gsub);
    add("len", args -> LuaValue.valueOf(args.string(1).m_length));
    addText("lower", StringFunctions::lower);
    add("match", args -> find(args, false));
    addText("rep", StringFunctions::repeat);
    addText("reverse", StringFunctions::reverse);
    add("sub", this::sub);
    addText("upper", StringFunctions::upper);
    machine.globals.set("string", strings);
    machine.stringMetatable.rawset("__index", strings);
    var operators = new LuaTable();
    operators.rawset("__index", Operators.table(machine));
    strings.setmetatable(operators);
  }

  private void add(String name, LuajFunction.Body body) {
    machine.strings.rawset(name, machine.function("string." + name, body));
  }

  private void addText(String name, Function<LuajArgs, String> body) {
    add(name, args -> machine.string(body.apply(args)));
  }

  private Varargs bytes(LuajArgs args) {
    var text = args.string(1);
    var range = StringFunctions.byteRange(args, text.m_length);
    if (range == null) {
      return LuaValue.NONE;
    }
    machine.reserve(range.size() * 8L);
    var values = new LuaValue[range.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = LuaInteger.valueOf(text.luaByte(range.from() + i));
    }
    return LuaValue.varargsOf(values);
  }

  private Varargs sub(LuajArgs args) {
    var text = args.string(1);
    var range = StringFunctions.subRange(args, text.m_length);
    if (range == null) {
      return LuaValue.EMPTYSTRING;
    }
    machine.reserve(range.size());
    return LuajText.part(text, range.from(), range.to());
  }

  private Varargs find(LuajArgs args, boolean find) {
    var text = args.string(1);
    var wanted = args.text(2);
    int start = SearchFunctions.start(args, text.m_length);
    if (start < 0) {
      return LuaValue.NIL;
    }
    if (find && (args.get(4).toboolean() || SearchFunctions.isPlain(wanted))) {
      machine.meter.tick((long) (text.m_length - start) / 8);
      int at = text.indexOf(LuajText.lua(wanted), start);
      return at < 0
          ? LuaValue.NIL
          : LuaValue.varargsOf(
              LuaInteger.valueOf(at + 1), LuaInteger.valueOf(at + wanted.length()));
    }
    var pattern = new Pattern(wanted, LuajText.subject(text), machine.step);
    if (!pattern.find(start)) {
      return LuaValue.NIL;
    }
    if (!find) {
      return captures(text, pattern, pattern.values());
    }
    return LuaValue.varargsOf(
        LuaInteger.valueOf(pattern.start() + 1),
        LuaInteger.valueOf(pattern.end()),
        captures(text, pattern, pattern.captures()));
  }

  private Varargs captures(LuaString text, Pattern pattern, int count) {
    if (count == 1) {
      return capture(text, pattern, 0);
    }
    var values = new LuaValue[count];
    for (int i = 0; i < count; i++) {
      values[i] = capture(text, pattern, i);
    }
    return LuaValue.varargsOf(values);
  }

  private LuaValue capture(LuaString text, Pattern pattern, int index) {
    if (pattern.isPosition(index)) {
      return LuaInteger.valueOf(pattern.captureStart(index) + 1);
    }
    int from = pattern.captureStart(index);
    int to = pattern.captureEnd(index);
    machine.reserve(to - from);
    return LuajText.part(text, from, to);
  }

  private Varargs gmatch(LuajArgs args) {
    var text = args.string(1);
    var pattern = new Pattern(args.text(2), LuajText.subject(text), machine.step);
    var matches = new SearchFunctions.Matches(pattern, text.m_length);
    return machine.function(
        "for iterator",
        ignored -> matches.next() ? captures(text, pattern, pattern.values()) : LuaValue.NIL);
  }

  private Varargs gsub(LuajArgs args) {
    var text = args.string(1);
    var replacement = args.get(3);
    if (!replacement.isstring() && !replacement.istable() && !replacement.isfunction()) {
      throw args.bad(3, "string/function/table expected");
    }
    var pattern = new Pattern(args.text(2), LuajText.subject(text), machine.step);
    var substitution = new Replacements(args, LuajText.latin1(text), pattern);
    var result = substitution.replace(() -> replace(substitution, args, text, pattern));
    return LuaValue.varargsOf(
        machine.string(result), LuaValue.valueOf((double) substitution.count()));
  }

  private void replace(Replacements substitution, LuajArgs args, LuaString text, Pattern pattern) {
    var replacement = args.get(3);
    LuaValue value;
    if (replacement.istable()) {
      value = replacement.get(capture(text, pattern, 0));
    } else if (replacement.isfunction()) {
      value = replacement.invoke(captures(text, pattern, pattern.values())).arg1();
    } else {
      substitution.template(
          args.text(3), index -> LuajText.latin1(machine.tostring(capture(text, pattern, index))));
      return;
    }
    if (!value.toboolean()) {
      substitution.keep();
    } else if (value.isstring()) {
      substitution.append(LuajText.latin1(machine.tostring(value)));
    } else {
      throw machine.error("invalid replacement value (a " + machine.typeName(value) + ")");
    }
  }

  private String quoted(LuajArgs args, int argument) {
    var value = args.any(argument);
    if (value instanceof LuaString text) {
      machine.reserve(text.m_length * 4L);
      return Format.quoted(LuajText.latin1(text));
    }
    if (value.istable() || value.isfunction()) {
      throw args.bad(argument, "value has no literal form");
    }
    return LuajText.latin1(machine.tostring(value));
  }
}
