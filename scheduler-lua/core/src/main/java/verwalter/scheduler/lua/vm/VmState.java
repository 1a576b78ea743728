package verwalter.scheduler.lua.vm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.RunTrace;
import verwalter.scheduler.lua.syntax.Chunk;
import verwalter.scheduler.lua.syntax.SyntaxError;

/** One program: its globals, the active calls, and the state of its libraries. */
final class VmState {
  private static final long SEED = 0x5ca1ab1e;
  private static final int SPARE = 200;
  private static final int MOST_HANDLERS = 20;
  static final long COPIED_PER_TICK = 64;
  private static final int STRING_BYTES = 48;
  private static final long NODE_BYTES = 16;

  final Meter meter;
  final Runnable step;
  final Table globals;
  final Table strings;
  final Table stringMetatable;
  final Operations operations;
  final RunTrace notes = new RunTrace();
  @Nullable Function next;
  @Nullable Function nextItem;
  SplittableRandom random = new SplittableRandom(SEED);
  private final StringBuilder printed = new StringBuilder();
  private final List<@Nullable Object> handlers = new ArrayList<>();
  private final WeakHashMap<Object, Integer> identities = new WeakHashMap<>();
  private Object[] stack = new Object[64]; // of Frame and Native
  private int depth;
  private int limit;
  private int handling;
  private int identified;

  VmState(Meter meter) {
    this.meter = meter;
    this.step = meter::tick;
    this.limit = meter.budget().callDepth();
    this.globals = new Table(meter);
    this.strings = new Table(meter);
    this.stringMetatable = new Table(meter);
    this.operations = new Operations(this);
  }

  /** Starts a run: the full budget, no output, the initial random seed. */
  void begin() {
    meter.begin();
    notes.begin();
    printed.setLength(0);
    handlers.clear();
    leave(0);
    limit = meter.budget().callDepth();
    handling = 0;
    random = new SplittableRandom(SEED);
  }

  Native function(String label, Native.Body body) {
    return new Native(this, label, body);
  }

  void print(String bytes) {
    meter.print(bytes.length());
    printed.append(bytes);
  }

  String printed() {
    return new String(
        printed.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  // Calls

  /** Pushes a call on the stack; returns the depth for {@link #leave}. */
  int enter(Object call) {
    meter.tick();
    int before = depth;
    if (before >= limit) {
      throw raise(where() + ": " + meter.tooDeep());
    }
    if (before == stack.length) {
      stack = Arrays.copyOf(stack, before * 2);
    }
    stack[before] = call;
    depth = before + 1;
    return before;
  }

  void leave(int to) {
    if (depth > to + 1) {
      Arrays.fill(stack, to + 1, depth, null);
    }
    depth = to;
  }

  /** The values of a call, after making the tail call that it may have ended with. */
  @Nullable Object finish(@Nullable Object result) {
    var values = result;
    while (values instanceof TailCall tail) {
      values = tail.function.begin(tail.arguments, true);
    }
    return values;
  }

  @Nullable Object call(@Nullable Object function, @Nullable Object... args) {
    if (function instanceof Function direct) {
      return direct.call(args);
    }
    if (operations.metamethod(function, "__call") instanceof Function method) {
      return method.call(shifted(function, args));
    }
    throw operations.attempt("call", function, null);
  }

  static @Nullable Object[] shifted(@Nullable Object first, @Nullable Object[] rest) {
    var all = new @Nullable Object[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  // Errors

  /** The function at a level, a {@link Frame} or {@link Native}; 0 is the innermost. */
  @Nullable Object level(int level) {
    return level >= 0 && level < depth ? stack[depth - 1 - level] : null;
  }

  int depth() {
    return depth;
  }

  /** {@code file:line: } of a level, or an empty text if it is not a Lua function. */
  String position(int level) {
    return level(level) instanceof Frame frame
        ? frame.function.code.chunkName + ":" + frame.at.line + ": "
        : "";
  }

  /** {@code file:line} of the innermost Lua function. */
  String where() {
    for (int level = 0; level < depth; level++) {
      if (level(level) instanceof Frame frame) {
        return frame.function.code.chunkName + ":" + frame.at.line;
      }
    }
    return "main.lua";
  }

  /** An error of a library function, with the position of the Lua function that called it. */
  LuaError error(String message) {
    return raise(position(level(0) instanceof Native ? 1 : 0) + message);
  }

  /** An error of an operation, with its position if a Lua function performs it. */
  LuaError fault(String message) {
    return raise(position(0) + message);
  }

  /**
   * An error with a value, which is first passed to the handler of the enclosing protected call.
   */
  LuaError raise(@Nullable Object value) {
    return new LuaError(handled(value));
  }

  private @Nullable Object handled(@Nullable Object value) {
    var handler = handlers.isEmpty() ? null : handlers.get(handlers.size() - 1);
    if (handler == null) {
      return value;
    }
    if (handling == MOST_HANDLERS) {
      return "error in error handling";
    }
    int before = depth;
    int level = handlers.size();
    handlers.add(null);
    limit += SPARE;
    handling++;
    try {
      return Results.first(call(handler, value));
    } catch (LuaError | StackOverflowError again) {
      return "error in error handling";
    } finally {
      limit -= SPARE;
      handling--;
      unwind(before, level);
    }
  }

  /**
   * Calls a function and converts its errors to values.
   *
   * @param handler called with the error while the failed calls are still on the stack
   * @return true and the results, or false and the error
   */
  @Nullable Object[] protect(
      @Nullable Object function, @Nullable Object[] args, @Nullable Object handler) {
    int before = depth;
    int level = handlers.size();
    handlers.add(handler);
    try {
      return shifted(true, Results.all(call(function, args)));
    } catch (LuaError failure) {
      return new @Nullable Object[] {false, failure.value()};
    } catch (StackOverflowError deep) {
      return new @Nullable Object[] {false, "stack overflow"};
    } finally {
      unwind(before, level);
    }
  }

  private void unwind(int to, int level) {
    leave(to);
    while (handlers.size() > level) {
      handlers.remove(handlers.size() - 1);
    }
  }

  // Strings

  /** Checks the length of a new string, and counts the cost of making it. */
  void reserve(long length) {
    if (length > meter.budget().stringLength()) {
      throw error(meter.tooLong());
    }
    meter.allocate(length + STRING_BYTES);
    if (length >= COPIED_PER_TICK) {
      meter.tick(length / COPIED_PER_TICK);
    }
  }

  String tostring(@Nullable Object value) {
    var method = value instanceof Table table ? operations.metamethod(table, "__tostring") : null;
    if (method != null) {
      var text = Results.first(call(method, value));
      if (!(text instanceof String) && !(text instanceof Number)) {
        throw error("'__tostring' must return a string");
      }
      return Operations.text(text);
    }
    if (value == null || value instanceof Boolean) {
      return value == null ? "nil" : value.toString();
    }
    return value instanceof Table || value instanceof Function
        ? operations.described(value) + ": " + identity(value)
        : Operations.text(value);
  }

  /** Numbers in the order of the requests. Addresses would not be deterministic. */
  private String identity(Object value) {
    int number = identities.computeIfAbsent(value, v -> ++identified);
    return String.format("0x%08x", number);
  }

  // Chunks

  /**
   * A chunk that can be called.
   *
   * @param name its name in messages
   * @throws SyntaxError if it is not valid Lua
   */
  Closure compile(String name, String source, @Nullable Object environment) throws SyntaxError {
    meter.allocate(source.length() * NODE_BYTES);
    meter.tick(source.length() / COPIED_PER_TICK);
    try {
      var code = Compiler.compile(Chunk.parse(name, source));
      return new Closure(this, code, new Cell[0], environment);
    } catch (StackOverflowError deep) {
      throw new SyntaxError(name + ": an expression has too many operators");
    }
  }
}
