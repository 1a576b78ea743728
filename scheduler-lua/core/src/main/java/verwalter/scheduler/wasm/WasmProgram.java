package verwalter.scheduler.wasm;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.ChicoryException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler.Failed;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;

/**
 * An instance of a module with its memory, which persists between calls. Any failure during a call
 * discards the instance; the next call starts with a new one. Belongs to one thread; an interrupt
 * of that thread means that the wall time has elapsed.
 */
final class WasmProgram {
  /**
   * The number of WebAssembly instructions for one instruction of a budget, which corresponds to
   * one of Lua's virtual machine.
   */
  static final int INSTRUCTIONS_FOR_ONE = 10;

  private static final int CHUNK = 64 << 10;

  private final String name;
  private final Compiled compiled;
  private final Budget budget;
  private final Panics panics = new Panics();
  private @Nullable Instance instance;
  private boolean introduced;
  private String doing = "";

  /** The trap of the last call after its result was read; empty if there was none. */
  private String damage = "";

  private long instructions;

  private WasmProgram(String name, Compiled compiled, Budget budget) {
    this.name = name;
    this.compiled = compiled;
    this.budget = budget;
  }

  /**
   * Compiles a module and creates its first instance.
   *
   * @param name its name in messages
   * @param functions its required exports; see {@link Compiled#of}
   */
  static WasmProgram load(String name, byte[] module, Budget budget, List<String> functions)
      throws Failed {
    long pages = budget.memory() / Memory.PAGE_SIZE;
    var limits =
        new Metering.Limits(
            Math.multiplyExact(budget.instructions(), (long) INSTRUCTIONS_FOR_ONE),
            budget.callDepth(),
            (int) Math.min(pages, Memory.RUNTIME_MAX_PAGES));
    try {
      var program = new WasmProgram(name, Compiled.of(module, limits, functions), budget);
      program.run(program::start);
      return program;
    } catch (InvalidModule problem) {
      throw new Failed(name + ": " + problem.getMessage(), "");
    }
  }

  /** The number of instructions of the last call, including the start of a new instance. */
  long instructions() {
    return instructions;
  }

  /** Whether the current instance was initialized; see {@link #introduce}. */
  boolean isIntroduced() {
    return instance != null && introduced;
  }

  /** Marks the current instance as initialized. An instance that replaces it is not. */
  void introduce() {
    introduced = true;
  }

  /** The messages of {@code log_panic} in the last call, and of a trap after its result. */
  List<String> panics() {
    var lines = new ArrayList<>(panics.lines());
    if (!damage.isEmpty()) {
      lines.add("function 'dealloc': " + damage + "; the next run has a new instance");
    }
    return lines;
  }

  /**
   * Passes a value to a function as JSON in the module's memory, and returns the object that it
   * returned, as verwalter 0.13 does.
   *
   * @throws Failed if the module traps, exceeds the budget, or violates the protocol
   */
  Map<String, Object> call(String function, Map<String, Object> input) throws Failed {
    var text = Json.canonical(input).getBytes(StandardCharsets.UTF_8);
    return run(
        () -> {
          var started = started();
          int given = invoke(started, "alloc", text.length);
          doing = "writing what 'alloc' allocated";
          started.memory().write(given, text);
          int returned = invoke(started, function, given, text.length);
          var result = result(started.memory(), function, returned);
          release(started, given, returned);
          return result;
        });
  }

  /**
   * Frees the input and the result. The result was read already, so a trap costs only the instance,
   * whose memory may be damaged. (Modules of verwalter 0.13 built by newer compilers trap here.)
   */
  private void release(Instance started, int... addresses) {
    try {
      for (int address : addresses) {
        invoke(started, "dealloc", address);
      }
    } catch (ChicoryInterruptedException interrupted) {
      throw interrupted;
    } catch (StackOverflowError tooDeep) {
      damage = tooDeep();
    } catch (RuntimeException trap) {
      damage = why(trap);
    }
  }

  /** One run of the module; any failure of it discards the instance. */
  private interface Run<V> {
    V run() throws Broken;
  }

  /** The module violated the protocol. */
  private static final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message, null, false, false);
    }
  }

  private <V> V run(Run<V> run) throws Failed {
    panics.clear();
    damage = "";
    if (instance != null) {
      instance.global(compiled.metering().fuel()).setValue(compiled.limits().instructions());
    }
    boolean done = false;
    try {
      var value = run.run();
      done = true;
      return value;
    } catch (ChicoryInterruptedException interrupted) {
      throw failed("wall time budget of %d ms used up".formatted(budget.wallTime().toMillis()));
    } catch (Broken broken) {
      throw failed(String.valueOf(broken.getMessage()));
    } catch (StackOverflowError tooDeep) {
      throw failed(tooDeep());
    } catch (RuntimeException trap) {
      throw failed(why(trap));
    } finally {
      instructions = used();
      if (!done || !damage.isEmpty()) {
        instance = null;
      }
    }
  }

  private Instance start() throws Broken {
    doing = "starting";
    try {
      var fresh = compiled.instance(panics);
      instance = fresh;
      introduced = false;
      fresh.initialize(false);
      return fresh;
    } catch (InvalidModule changed) { // it was validated when it was compiled
      throw new Broken(String.valueOf(changed.getMessage()));
    }
  }

  private Instance started() throws Broken {
    return instance == null ? start() : instance;
  }

  /** Calls a function; 0 if it has no result. */
  private int invoke(Instance started, String function, int... arguments) {
    doing = "function '" + function + "'";
    var values = new long[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments[i] & 0xffff_ffffL;
    }
    var results = started.export(function).apply(values);
    return results == null || results.length == 0 ? 0 : (int) results[0];
  }

  private Map<String, Object> result(Memory memory, String function, int address) throws Broken {
    doing = "reading what '" + function + "' returned";
    var bytes = text(memory, Integer.toUnsignedLong(address));
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return Json.object(Json.parseUnique(text));
    } catch (CharacterCodingException notText) {
      throw new Broken("it is not UTF-8");
    } catch (DecodeException malformed) {
      throw new Broken("it is no JSON: " + malformed.getMessage());
    }
  }

  /** The bytes of the object at the address. */
  private byte[] text(Memory memory, long address) throws Broken {
    long size = memory.pages() * (long) Memory.PAGE_SIZE;
    if (address >= size) {
      throw new Broken("address %d is outside of %d bytes of memory".formatted(address, size));
    }
    var span = new JsonSpan();
    for (long at = address; at < size; at += CHUNK) {
      if (at - address > budget.outputSize()) {
        throw tooLong();
      }
      int end = span.feed(memory.readBytes((int) at, (int) Math.min(CHUNK, size - at)));
      if (span.isWrong()) {
        throw new Broken("it is no JSON object: it starts with " + shown(memory, address));
      }
      if (end > budget.outputSize()) {
        throw tooLong();
      }
      if (end >= 0) {
        return memory.readBytes((int) address, end);
      }
    }
    throw new Broken("the JSON object at address %d has no end".formatted(address));
  }

  private Broken tooLong() {
    return new Broken("output size budget of %d bytes used up".formatted(budget.outputSize()));
  }

  private static String shown(Memory memory, long address) {
    long left = memory.pages() * (long) Memory.PAGE_SIZE - address;
    var bytes = memory.readBytes((int) address, (int) Math.min(40, left));
    return "'" + new String(bytes, StandardCharsets.US_ASCII).replaceAll("\\p{Cntrl}", ".") + "'";
  }

  private String why(RuntimeException trap) {
    var reason = global(compiled.metering().reason(), 0);
    if (reason == Metering.INSTRUCTIONS) {
      return "instruction budget of %d used up".formatted(compiled.limits().instructions());
    }
    if (reason == Metering.MEMORY) {
      return Compiled.memoryUsedUp(compiled.limits());
    }
    if (reason == Metering.CALLS || trap.getCause() instanceof StackOverflowError) {
      return tooDeep();
    }
    var message = trap instanceof ChicoryException ? trap.getMessage() : trap.toString();
    var first = panics.lines().stream().findFirst();
    return first
        .map(panic -> panic + " (trap: " + message + ")")
        .orElseGet(() -> "trap: " + message);
  }

  private String tooDeep() {
    return "stack overflow (call depth budget of %d used up)".formatted(budget.callDepth());
  }

  private long used() {
    long whole = compiled.limits().instructions();
    return whole - Math.max(global(compiled.metering().fuel(), whole), 0);
  }

  private long global(int number, long otherwise) {
    var global = instance == null ? null : instance.global(number);
    return global == null ? otherwise : global.getValue();
  }

  private Failed failed(String problem) {
    return new Failed(name + ": " + doing + ": " + problem, String.join("\n", panics.lines()));
  }
}
