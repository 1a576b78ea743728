package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.text.Subject;
import verwalter.scheduler.lua.text.Utf8;

/** UTF-8 (Lua 5.3 manual, 6.5). */
final class LuajUtf8Library {
  private final LuajState machine;

  private LuajUtf8Library(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    var library = new LuajUtf8Library(machine);
    var table = new LuaTable();
    table.set("charpattern", LuajText.lua(Utf8.CHAR_PATTERN));
    table.set("char", machine.function("utf8.char", library::chars));
    table.set("codepoint", machine.function("utf8.codepoint", library::codePoint));
    table.set("codes", machine.function("utf8.codes", library::codes));
    table.set("len", machine.function("utf8.len", library::length));
    table.set("offset", machine.function("utf8.offset", library::offset));
    machine.globals.set("utf8", table);
  }

  private Varargs chars(LuajArgs args) {
    var text = new StringBuilder();
    for (int i = 1; i <= args.count(); i++) {
      long code = args.integer(i);
      if (code < 0 || code > 0x10ffff) {
        throw args.bad(i, "value out of range");
      }
      text.append(Utf8.encode(code));
    }
    machine.reserve(text.length());
    return machine.string(text);
  }

  private Varargs codePoint(LuajArgs args) {
    var text = LuajText.subject(args.string(1));
    long from = Utf8.place(args.integer(2, 1), text.length());
    long to = Utf8.place(args.integer(3, from), text.length());
    if (from < 1) {
      throw args.bad(2, "out of range");
    }
    if (to > text.length()) {
      throw args.bad(3, "out of range");
    }
    machine.reserve(Math.max(0, to - from + 1) * 8);
    var codes = new java.util.ArrayList<LuaValue>();
    for (int at = (int) from - 1; at < to; ) {
      int code = valid(text, at);
      codes.add(LuaInteger.valueOf(code));
      at += Utf8.size(code);
    }
    return LuaValue.varargsOf(codes.toArray(LuaValue[]::new));
  }

  private int valid(Subject text, int at) {
    int code = Utf8.decode(text, at);
    if (code < 0) {
      throw machine.error("invalid UTF-8 code");
    }
    return code;
  }

  private Varargs codes(LuajArgs args) {
    var step = machine.function("for iterator", this::nextCode);
    return LuaValue.varargsOf(step, args.string(1), LuaValue.ZERO);
  }

  private Varargs nextCode(LuajArgs args) {
    var text = LuajText.subject(args.string(1));
    int at = (int) args.integer(2);
    while (at > 0 && at < text.length() && Utf8.continues(text.at(at))) {
      at++;
    }
    if (at >= text.length()) {
      return LuaValue.NONE;
    }
    int code = valid(text, at);
    return LuaValue.varargsOf(LuaInteger.valueOf(at + 1), LuaInteger.valueOf(code));
  }

  private Varargs length(LuajArgs args) {
    var text = LuajText.subject(args.string(1));
    long at = Utf8.place(args.integer(2, 1), text.length());
    long to = Utf8.place(args.integer(3, -1), text.length());
    if (at < 1 || at > text.length() + 1L) {
      throw args.bad(2, "initial position out of string");
    }
    if (to > text.length()) {
      throw args.bad(3, "final position out of string");
    }
    machine.meter.tick(Math.max(0, to - at));
    int count = 0;
    while (at <= to) {
      int code = Utf8.decode(text, (int) at - 1);
      if (code < 0) {
        return LuaValue.varargsOf(LuaValue.NIL, LuaInteger.valueOf(at));
      }
      at += Utf8.size(code);
      count++;
    }
    return LuaInteger.valueOf(count);
  }

  private Varargs offset(LuajArgs args) {
    var text = LuajText.subject(args.string(1));
    long count = args.integer(2);
    long at = Utf8.place(args.integer(3, count >= 0 ? 1 : text.length() + 1L), text.length()) - 1;
    if (at < 0 || at > text.length()) {
      throw args.bad(3, "position out of range");
    }
    if (count != 0 && Utf8.continuesAt(text, at)) {
      throw machine.error("initial position is a continuation byte");
    }
    machine.meter.tick((long) text.length() / 8);
    long found = Utf8.offset(text, at, count);
    return found > 0 ? LuaInteger.valueOf(found) : LuaValue.NIL;
  }
}
