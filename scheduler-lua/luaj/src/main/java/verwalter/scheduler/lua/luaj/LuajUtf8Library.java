package verwalter.scheduler.lua.luaj;

import java.util.Arrays;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.library.Utf8Functions;
import verwalter.scheduler.lua.text.Utf8;

/** UTF-8 (Lua 5.3 manual, 6.5). */
final class LuajUtf8Library {
  static void install(LuajState machine) {
    var table = new LuaTable();
    table.set("charpattern", LuajText.lua(Utf8.CHAR_PATTERN));
    table.set(
        "char", machine.function("utf8.char", args -> machine.string(Utf8Functions.chars(args))));
    table.set("codepoint", machine.function("utf8.codepoint", LuajUtf8Library::codePoints));
    var step = machine.function("for iterator", LuajUtf8Library::nextCode);
    table.set(
        "codes",
        machine.function(
            "utf8.codes", args -> LuaValue.varargsOf(step, args.string(1), LuaValue.ZERO)));
    table.set("len", machine.function("utf8.len", LuajUtf8Library::length));
    table.set("offset", machine.function("utf8.offset", LuajUtf8Library::offset));
    machine.globals.set("utf8", table);
  }

  private static Varargs codePoints(LuajArgs args) {
    int[] codes = Utf8Functions.codePoints(args, LuajText.subject(args.string(1)));
    return LuaValue.varargsOf(
        Arrays.stream(codes).mapToObj(LuaInteger::valueOf).toArray(LuaValue[]::new));
  }

  private static Varargs nextCode(LuajArgs args) {
    var next = Utf8Functions.next(args, LuajText.subject(args.string(1)));
    return next == null
        ? LuaValue.NONE
        : LuaValue.varargsOf(LuaInteger.valueOf(next.position()), LuaInteger.valueOf(next.code()));
  }

  private static Varargs length(LuajArgs args) {
    long length = Utf8Functions.length(args, LuajText.subject(args.string(1)));
    return length < 0
        ? LuaValue.varargsOf(LuaValue.NIL, LuaInteger.valueOf(-length))
        : LuaInteger.valueOf(length);
  }

  private static Varargs offset(LuajArgs args) {
    long found = Utf8Functions.offset(args, LuajText.subject(args.string(1)));
    return found > 0 ? LuaInteger.valueOf(found) : LuaValue.NIL;
  }

  private LuajUtf8Library() {}
}
