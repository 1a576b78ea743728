package verwalter.scheduler.lua.luaj;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.DebugLib;
import verwalter.scheduler.lua.Meter;

/**
 * The active calls, and the hook that luaj calls before every instruction. The hook counts, and
 * replaces instructions that luaj implements incorrectly or without limits.
 */
final class CallFrames extends DebugLib {
  private static final int SPARE = 200;
  private static final int LARGE = 1024;

  private final LuajState machine;
  private final Meter meter;
  private int limit;
  private int depth;
  private LuaFunction[] functions = new LuaFunction[64];
  private LuaValue[][] stacks = new LuaValue[64][];
  private int[] counters = new int[64];
  private int[] code = {};

  CallFrames(LuajState machine, Meter meter) {
    this.machine = machine;
    this.meter = meter;
    this.limit = meter.budget().callDepth();
  }

  int depth() {
    return depth;
  }

  /** Drops the frames above a depth, which an error has left. */
  void unwind(int to) {
    depth = to;
    resume();
  }

  /** Lets the handler of an error nest some more calls. */
  void spare(boolean on) {
    limit += on ? SPARE : -SPARE;
  }

  void enter(LuajFunction function) {
    push(function, NO_STACK);
  }

  private static final LuaValue[] NO_STACK = {};

  private void push(LuaFunction function, LuaValue[] stack) {
    if (depth >= limit) {
      throw machine.error(meter.tooDeep());
    }
    if (depth == functions.length) {
      functions = Arrays.copyOf(functions, depth * 2);
      stacks = Arrays.copyOf(stacks, depth * 2);
      counters = Arrays.copyOf(counters, depth * 2);
    }
    functions[depth] = function;
    stacks[depth] = stack;
    counters[depth] = 0;
    depth++;
  }

  @Override
  public void onCall(LuaClosure closure, Varargs varargs, LuaValue[] stack) {
    push(closure, stack);
    code = closure.p.code;
  }

  @Override
  public void onCall(LuaFunction function) {
    throw new IllegalStateException("luaj's own libraries are not loaded");
  }

  @Override
  public void onReturn() {
    if (depth > 0) {
      depth--;
      stacks[depth] = NO_STACK;
      resume();
    }
  }

  private void resume() {
    if (depth > 0 && functions[depth - 1] instanceof LuaClosure closure) {
      code = closure.p.code;
    }
  }

  @Override
  public void onInstruction(int pc, Varargs v, int top) {
    counters[depth - 1] = pc;
    meter.tick();
    int instruction = code[pc];
    switch (instruction & 0x3f) {
      case Lua.OP_CONCAT -> concat(instruction);
      case Lua.OP_SETLIST -> {
        if (Lua.GETARG_B(instruction) == 0) {
          meter.tick((long) (top - Lua.GETARG_A(instruction)));
          meter.allocate(8L * (top - Lua.GETARG_A(instruction)));
        }
      }
      case Lua.OP_MOD -> remainder(instruction);
      case Lua.OP_TAILCALL -> {
        if (!machine.callable(stacks[depth - 1][Lua.GETARG_A(instruction)])) {
          throw machine.error(LuajDiagnosis.of(machine)); // afterwards this frame would be gone
        }
      }
      default -> {}
    }
  }

  /** Limits the length, and formats numbers as Lua 5.3; the operands are temporary registers. */
  private void concat(int instruction) {
    var stack = stacks[depth - 1];
    long length = 0;
    for (int i = Lua.GETARG_B(instruction); i <= Lua.GETARG_C(instruction); i++) {
      var value = stack[i];
      if (value.type() == LuaValue.TNUMBER) {
        stack[i] = value = LuajText.lua(LuajText.number(value));
      }
      if (value instanceof LuaString text) {
        length += text.m_length;
      }
    }
    if (length > LARGE) {
      machine.reserve(length);
    }
  }

  private void remainder(int instruction) {
    if (operand(Lua.GETARG_C(instruction)) instanceof LuaInteger divisor
        && divisor.v == 0
        && operand(Lua.GETARG_B(instruction)) instanceof LuaInteger) {
      throw machine.error("attempt to perform 'n%0'");
    }
  }

  /** A register or constant of the running function. */
  LuaValue operand(int index) {
    return Lua.ISK(index)
        ? ((LuaClosure) functions[depth - 1]).p.k[Lua.INDEXK(index)]
        : stacks[depth - 1][index];
  }

  LuaValue register(int index) {
    return stacks[depth - 1][index];
  }

  /** The function of a frame; 0 is the innermost; null if there is none. */
  @Nullable LuaFunction function(int level) {
    return level >= 0 && level < depth ? functions[depth - 1 - level] : null;
  }

  /** The current instruction of a frame. */
  int counter(int level) {
    return counters[depth - 1 - level];
  }

  /** {@code file:line: } of a frame, or an empty text if it is not a Lua function. */
  String position(int level) {
    return function(level) instanceof LuaClosure closure
        ? file(closure) + ":" + line(closure, counter(level)) + ": "
        : "";
  }

  /** {@code file:line} of the innermost Lua function. */
  String where() {
    for (int level = 0; level < depth; level++) {
      if (function(level) instanceof LuaClosure closure) {
        return file(closure) + ":" + line(closure, counter(level));
      }
    }
    return "main.lua";
  }

  static String file(LuaClosure closure) {
    var source = closure.p.source.tojstring();
    return source.startsWith("=") || source.startsWith("@") ? source.substring(1) : source;
  }

  private static int line(LuaClosure closure, int pc) {
    var lines = closure.p.lineinfo;
    return lines != null && pc < lines.length ? lines[pc] : closure.p.linedefined;
  }

  /** The text that {@code debug.traceback} writes below its message, from a level on. */
  @Override
  public String traceback(int level) {
    return LuajTraceback.of(this, depth, level);
  }
}
