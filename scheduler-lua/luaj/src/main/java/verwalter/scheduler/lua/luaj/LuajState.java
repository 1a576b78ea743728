package verwalter.scheduler.lua.luaj;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.OneArgFunction;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.RunTrace;
import verwalter.scheduler.lua.syntax.Chunk;
import verwalter.scheduler.lua.syntax.SyntaxError;
import verwalter.scheduler.lua.text.Numerals;

/** One program's globals and the state of its libraries: errors, conversions, limits. */
final class LuajState {
  private static final long SEED = 0x5ca1ab1e;
  private static final long COPIED_PER_TICK = 64;

  final Globals globals = new Globals();
  final Meter meter;
  final CallFrames frames;
  final RunTrace notes = new RunTrace();
  final Runnable step;
  final LuaTable strings = new LuaTable();
  final LuaTable stringMetatable = new LuaTable();
  SplittableRandom random = new SplittableRandom(SEED);
  private final StringBuilder printed = new StringBuilder();
  private final List<@Nullable LuaValue> handlers = new ArrayList<>();
  private final WeakHashMap<LuaValue, Integer> identities = new WeakHashMap<>();
  private @Nullable LuaValue hooked;

  LuajState(Meter meter) {
    this.meter = meter;
    this.frames = new CallFrames(this, meter);
    this.step = meter::tick;
    globals.debuglib = frames;
    globals.running.errorfunc =
        new OneArgFunction() {
          @Override
          public LuaValue call(LuaValue raw) {
            hooked = handled(LuajText.utf8(LuajDiagnosis.of(LuajState.this, raw.tojstring())));
            return EMPTYSTRING;
          }
        };
  }

  /** Starts a run: the full budget, no output, the initial random seed. */
  void begin() {
    meter.begin();
    notes.begin();
    printed.setLength(0);
    handlers.clear();
    frames.unwind(0);
    random = new SplittableRandom(SEED);
  }

  LuajFunction function(String label, LuajFunction.Body body) {
    return new LuajFunction(this, label, body);
  }

  void print(String latin1) {
    meter.print(latin1.length());
    printed.append(latin1);
  }

  String printed() {
    return new String(
        printed.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  // Errors

  /** An error with a message, and the position of the current Lua function. */
  LuaError error(String message) {
    return error(message, frames.function(0) instanceof LuajFunction ? 1 : 0);
  }

  LuaError error(String message, int level) {
    return raise(LuajText.lua(frames.position(level) + message));
  }

  /**
   * An error with a value, which is first passed to the handler of the enclosing protected call.
   */
  LuaError raise(LuaValue value) {
    return new Raised(handled(value));
  }

  private LuaValue handled(LuaValue value) {
    var handler = handlers.isEmpty() ? null : handlers.get(handlers.size() - 1);
    if (handler == null) {
      return value;
    }
    int depth = frames.depth();
    int level = handlers.size();
    handlers.add(null);
    frames.spare(true);
    try {
      return handler.call(value);
    } catch (LuaError | StackOverflowError again) {
      return LuajText.lua("error in error handling");
    } finally {
      frames.spare(false);
      unwind(depth, level);
    }
  }

  /**
   * Calls a function and converts its errors to values.
   *
   * @param handler called with the error while the failed calls are still on the stack
   */
  Varargs protect(LuaValue function, Varargs args, @Nullable LuaValue handler) {
    int depth = frames.depth();
    int level = handlers.size();
    handlers.add(handler);
    try {
      if (!callable(function)) {
        throw raise(LuajText.lua("attempt to call a " + typeName(function) + " value"));
      }
      return LuaValue.varargsOf(LuaValue.TRUE, function.invoke(args));
    } catch (LuaError failure) {
      unwind(depth, level);
      return LuaValue.varargsOf(LuaValue.FALSE, value(failure));
    } catch (StackOverflowError deep) {
      unwind(depth, level);
      return LuaValue.varargsOf(LuaValue.FALSE, LuajText.lua("stack overflow"));
    } finally {
      unwind(depth, level);
    }
  }

  private void unwind(int depth, int level) {
    frames.unwind(depth);
    while (handlers.size() > level) {
      handlers.remove(handlers.size() - 1);
    }
  }

  private LuaValue value(LuaError failure) {
    if (failure instanceof Raised raised) {
      return raised.getMessageObject();
    }
    var value = hooked;
    hooked = null;
    return value != null ? value : LuajText.utf8(String.valueOf(failure.getMessage()));
  }

  String compareProblem(LuaValue left, LuaValue right) {
    var a = typeName(left);
    var b = typeName(right);
    return a.equals(b)
        ? "attempt to compare two " + a + " values"
        : "attempt to compare " + a + " with " + b;
  }

  // Values

  String typeName(LuaValue value) {
    return value.typename();
  }

  boolean callable(LuaValue value) {
    return value.isfunction() || !value.metatag(LuaValue.CALL).isnil();
  }

  /** An upvalue of the running function. */
  LuaValue upvalue(int index) {
    return frames.function(0) instanceof LuaClosure closure
        ? closure.upValues[index].getValue()
        : LuaValue.NIL;
  }

  /** The value as a number, if it is a number or a numeric string. */
  static @Nullable LuaValue number(LuaValue value) {
    if (value.type() == LuaValue.TNUMBER) {
      return value;
    }
    var read = value instanceof LuaString text ? Numerals.parse(LuajText.latin1(text)) : null;
    return read == null ? null : LuajText.number(read);
  }

  LuaString tostring(LuaValue value) {
    var converter = value.metatag(LuaValue.TOSTRING);
    if (value.istable() && !converter.isnil()) {
      var text = converter.call(value);
      if (!text.isstring()) {
        throw error("'__tostring' must return a string");
      }
      return text instanceof LuaString string ? string : LuajText.lua(LuajText.number(text));
    }
    if (value instanceof LuaString text) {
      return text;
    }
    return LuajText.lua(
        switch (value.type()) {
          case LuaValue.TNIL -> "nil";
          case LuaValue.TBOOLEAN -> Boolean.toString(value.toboolean());
          case LuaValue.TNUMBER -> LuajText.number(value);
          default -> typeName(value) + ": " + identity(value);
        });
  }

  /** Numbers in the order of the requests. Addresses would not be deterministic. */
  private String identity(LuaValue value) {
    return String.format("0x%08x", identities.computeIfAbsent(value, v -> identities.size() + 1));
  }

  boolean lessThan(LuaValue left, LuaValue right) {
    int type = left.type();
    if (type == right.type() && (type == LuaValue.TNUMBER || type == LuaValue.TSTRING)) {
      return left.lt_b(right);
    }
    var method = left.metatag(LuaValue.LT);
    if (method.isnil()) {
      method = right.metatag(LuaValue.LT);
    }
    if (method.isnil()) {
      throw error(compareProblem(left, right));
    }
    return method.call(left, right).toboolean();
  }

  /** Checks the length of a new string, and counts the cost of making it. */
  void reserve(long length) {
    if (length > meter.budget().stringLength()) {
      throw error(meter.tooLong());
    }
    meter.allocate(length);
    meter.tick(length / COPIED_PER_TICK);
  }

  /** A new string; its length has been reserved or is known to be small. */
  LuaString string(CharSequence latin1) {
    return LuajText.lua(latin1.toString());
  }

  // Chunks

  /**
   * A chunk that can be called.
   *
   * @param name its name in messages
   * @throws SyntaxError if it is not valid Lua
   */
  LuaClosure compile(String name, String source, LuaValue environment) throws SyntaxError {
    meter.allocate(source.length() * 8L);
    meter.tick(source.length() / COPIED_PER_TICK);
    var chunk = Chunk.parse(name, source);
    var bytes = Desugar.rewrite(source, chunk.rewrites()).getBytes(StandardCharsets.ISO_8859_1);
    try {
      var prototype = LuaC.instance.compile(new ByteArrayInputStream(bytes), "=" + name);
      TailCalls.keepForLua(prototype);
      var closure = new LuaClosure(prototype, globals);
      closure.upValues[0].setValue(environment);
      return closure;
    } catch (LuaError limit) {
      throw new SyntaxError(String.valueOf(limit.getMessage()));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
