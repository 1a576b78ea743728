package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.Prototype;
import verwalter.scheduler.lua.library.Name;

/** Finds the name in the source of the value in a register, from the code that loaded it. */
final class Registers {
  /** The name of the called function at the caller of a level. */
  static @Nullable Name called(CallFrames frames, int level) {
    if (!(frames.function(level) instanceof LuaClosure caller)) {
      return null;
    }
    int pc = frames.counter(level);
    int instruction = caller.p.code[pc];
    return switch (Lua.GET_OPCODE(instruction)) {
      case Lua.OP_CALL, Lua.OP_TAILCALL -> of(caller.p, pc, Lua.GETARG_A(instruction));
      case Lua.OP_TFORCALL -> new Name("for iterator", "for iterator");
      default -> null;
    };
  }

  static @Nullable Name upvalue(Prototype p, int index) {
    var name = index < p.upvalues.length ? p.upvalues[index].name : null;
    return name == null ? null : new Name("upvalue", name.tojstring());
  }

  /** The name of the value in a register before an instruction; constants have none. */
  static @Nullable Name operand(Prototype p, int pc, int operand) {
    return Lua.ISK(operand) ? null : of(p, pc, operand);
  }

  static @Nullable Name of(Prototype p, int lastPc, int register) {
    var local = p.getlocalname(register + 1, lastPc);
    if (local != null) {
      return new Name("local", local.tojstring());
    }
    int pc = setter(p, lastPc, register);
    if (pc < 0) {
      return null;
    }
    int instruction = p.code[pc];
    int b = Lua.GETARG_B(instruction);
    return switch (Lua.GET_OPCODE(instruction)) {
      case Lua.OP_MOVE -> b < Lua.GETARG_A(instruction) ? of(p, pc, b) : null;
      case Lua.OP_GETTABUP ->
          key(p, pc, instruction, isEnvironment(upvalue(p, b)) ? "global" : "field");
      case Lua.OP_GETTABLE -> {
        var table = p.getlocalname(b + 1, pc);
        boolean global = table != null && table.tojstring().equals("_ENV");
        yield key(p, pc, instruction, global ? "global" : "field");
      }
      case Lua.OP_GETUPVAL -> upvalue(p, b);
      case Lua.OP_LOADK ->
          p.k[Lua.GETARG_Bx(instruction)] instanceof LuaString text
              ? new Name("constant", text.tojstring())
              : null;
      case Lua.OP_SELF -> key(p, pc, instruction, "method");
      default -> null;
    };
  }

  private static boolean isEnvironment(@Nullable Name name) {
    return name != null && name.name().equals("_ENV");
  }

  private static Name key(Prototype p, int pc, int instruction, String kind) {
    int c = Lua.GETARG_C(instruction);
    if (Lua.ISK(c) && p.k[Lua.INDEXK(c)] instanceof LuaString text) {
      return new Name(kind, text.tojstring());
    }
    var name = Lua.ISK(c) ? null : of(p, pc, c);
    return new Name(kind, name != null && name.kind().equals("constant") ? name.name() : "?");
  }

  /** The last instruction before another that certainly set a register, or -1. */
  private static int setter(Prototype p, int lastPc, int register) {
    int found = -1;
    int target = 0;
    for (int pc = 0; pc < lastPc; pc++) {
      int instruction = p.code[pc];
      int a = Lua.GETARG_A(instruction);
      boolean sets;
      switch (Lua.GET_OPCODE(instruction)) {
        case Lua.OP_LOADNIL -> sets = a <= register && register <= a + Lua.GETARG_B(instruction);
        case Lua.OP_TFORCALL -> sets = register >= a + 2;
        case Lua.OP_CALL, Lua.OP_TAILCALL -> sets = register >= a;
        case Lua.OP_JMP -> {
          int goal = pc + 1 + Lua.GETARG_sBx(instruction);
          if (pc < goal && goal <= lastPc && goal > target) {
            target = goal;
          }
          sets = false;
        }
        case Lua.OP_TEST -> sets = register == a;
        default -> sets = Lua.testAMode(Lua.GET_OPCODE(instruction)) && register == a;
      }
      if (sets) {
        found = pc < target ? -1 : pc;
      }
    }
    return found;
  }

  private Registers() {}
}
