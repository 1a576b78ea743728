package verwalter.scheduler.lua.luaj;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import verwalter.scheduler.lua.library.Name;

/**
 * Describes why an instruction failed within luaj, with the messages of Lua 5.3. It reads the
 * operands while the frame still exists.
 */
final class LuajDiagnosis {
  private final LuajState machine;
  private final CallFrames frames;
  private final Prototype p;
  private final int pc;
  private final int a;
  private final int b;
  private final int c;

  private LuajDiagnosis(LuajState machine, LuaClosure closure) {
    this.machine = machine;
    this.frames = machine.frames;
    this.p = closure.p;
    this.pc = frames.counter(0);
    int instruction = p.code[pc];
    this.a = Lua.GETARG_A(instruction);
    this.b = Lua.GETARG_B(instruction);
    this.c = Lua.GETARG_C(instruction);
  }

  /** The error of the current instruction, without a position. */
  static String of(LuajState machine) {
    return machine.frames.function(0) instanceof LuaClosure closure
        ? String.valueOf(new LuajDiagnosis(machine, closure).problem())
        : "";
  }

  /** The message with its position; luaj's message if the operands do not explain the error. */
  static String of(LuajState machine, String raw) {
    if (!(machine.frames.function(0) instanceof LuaClosure closure)) {
      return raw;
    }
    var diagnosis = new LuajDiagnosis(machine, closure);
    var problem = diagnosis.problem();
    return machine.frames.position(0) + (problem != null ? problem : plain(raw));
  }

  /** Removes the position that luaj puts before a message: file, colon, line, blank. */
  private static String plain(String raw) {
    int blank = raw.indexOf(' ');
    if (raw.endsWith("loop in gettable")) {
      return "'__index' chain too long; possibly a loop";
    }
    return blank > 0 && raw.substring(0, blank).matches("[@=].*:[0-9?]+")
        ? raw.substring(blank + 1)
        : raw;
  }

  private @Nullable String problem() {
    return switch (p.code[pc] & 0x3f) {
      case Lua.OP_GETTABUP -> index(machine.upvalue(b), Registers.upvalue(p, b));
      case Lua.OP_GETTABLE, Lua.OP_SELF -> index(frames.register(b), Registers.of(p, pc, b));
      case Lua.OP_SETTABUP -> {
        var bad = index(machine.upvalue(a), Registers.upvalue(p, a));
        yield bad != null ? bad : badKey(frames.operand(b));
      }
      case Lua.OP_SETTABLE -> {
        var bad = index(frames.register(a), Registers.of(p, pc, a));
        yield bad != null ? bad : badKey(frames.operand(b));
      }
      case Lua.OP_CALL, Lua.OP_TAILCALL -> call(frames.register(a), Registers.of(p, pc, a));
      case Lua.OP_TFORCALL -> call(frames.register(a), null);
      case Lua.OP_ADD, Lua.OP_SUB, Lua.OP_MUL, Lua.OP_DIV, Lua.OP_MOD, Lua.OP_POW ->
          arithmetic(frames.operand(b), frames.operand(c));
      case Lua.OP_UNM -> arithmetic(frames.register(b), frames.register(b));
      case Lua.OP_LEN -> length(frames.register(b));
      case Lua.OP_CONCAT -> concat();
      case Lua.OP_LT, Lua.OP_LE -> compare(frames.operand(b), frames.operand(c));
      default -> null;
    };
  }

  private @Nullable String index(LuaValue value, @Nullable Name name) {
    boolean indexable = value.istable() || !value.metatag(LuaValue.INDEX).isnil();
    return indexable || value.type() == LuaValue.TSTRING ? null : attempt("index", value, name);
  }

  private static @Nullable String badKey(LuaValue key) {
    if (key.isnil()) {
      return "table index is nil";
    }
    return key.type() == LuaValue.TNUMBER && Double.isNaN(key.todouble())
        ? "table index is NaN"
        : null;
  }

  private @Nullable String call(LuaValue value, @Nullable Name name) {
    return machine.callable(value) ? null : attempt("call", value, name);
  }

  private @Nullable String arithmetic(LuaValue left, LuaValue right) {
    boolean leftIsBad = LuajState.number(left) == null;
    if (!leftIsBad && LuajState.number(right) != null) {
      return null;
    }
    var bad = leftIsBad ? left : right;
    return attempt("perform arithmetic on", bad, Registers.operand(p, pc, leftIsBad ? b : c));
  }

  private @Nullable String length(LuaValue value) {
    return value.istable() || value.type() == LuaValue.TSTRING
        ? null
        : attempt("get length of", value, Registers.of(p, pc, b));
  }

  /** From the right, as the operands are joined; operands further right are text already. */
  private @Nullable String concat() {
    for (int i = c; i >= b; i--) {
      var value = frames.register(i);
      if (value.type() != LuaValue.TSTRING && value.type() != LuaValue.TNUMBER) {
        int left = i == c && i > b && !isText(frames.register(i - 1)) ? i - 1 : i;
        return attempt("concatenate", frames.register(left), Registers.of(p, pc, left));
      }
    }
    return null;
  }

  private static boolean isText(LuaValue value) {
    return value.type() == LuaValue.TSTRING || value.type() == LuaValue.TNUMBER;
  }

  private String compare(LuaValue left, LuaValue right) {
    return machine.compareProblem(left, right);
  }

  private String attempt(String action, LuaValue value, @Nullable Name name) {
    return "attempt to "
        + action
        + " a "
        + machine.typeName(value)
        + " value"
        + (name == null ? "" : " (" + name + ")");
  }
}
