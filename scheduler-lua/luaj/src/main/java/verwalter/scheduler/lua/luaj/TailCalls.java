package verwalter.scheduler.lua.luaj;

import java.util.Set;
import org.luaj.vm2.Lua;
import org.luaj.vm2.Prototype;

/**
 * Converts tail calls of library functions, such as {@code return error(...)}, to ordinary calls.
 * PUC Lua never replaces the caller's frame for a library function, so its errors have the position
 * of the call; in luaj the caller's frame would be gone.
 */
final class TailCalls {
  private static final Set<String> LIBRARY =
      Set.of(
          "error",
          "assert",
          "require",
          "tostring",
          "tonumber",
          "select",
          "setmetatable",
          "getmetatable",
          "ipairs",
          "pairs",
          "next",
          "pcall",
          "xpcall",
          "rawget",
          "rawset",
          "rawlen",
          "load",
          "print",
          "format",
          "rep",
          "gsub",
          "gmatch",
          "match",
          "find",
          "sub",
          "byte",
          "char",
          "concat",
          "insert",
          "remove",
          "sort",
          "unpack",
          "move",
          "floor",
          "ceil",
          "max",
          "min",
          "fmod",
          "random",
          "tointeger",
          "codepoint",
          "offset",
          "len");

  static void keepForLua(Prototype p) {
    for (int pc = 0; pc < p.code.length; pc++) {
      int instruction = p.code[pc];
      if (Lua.GET_OPCODE(instruction) == Lua.OP_TAILCALL) {
        var name = Registers.of(p, pc, Lua.GETARG_A(instruction));
        if (name != null && LIBRARY.contains(name.name())) {
          p.code[pc] =
              (instruction & ~0x3f) | Lua.OP_CALL; // the following return takes all results
        }
      }
    }
    for (var inner : p.p) {
      keepForLua(inner);
    }
  }

  private TailCalls() {}
}
