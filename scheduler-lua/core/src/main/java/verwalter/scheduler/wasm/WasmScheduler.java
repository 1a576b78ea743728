package verwalter.scheduler.wasm;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.ProgramThread;
import verwalter.scheduler.lua.ProgramThreads;
import verwalter.scheduler.lua.ScheduleShape;

/**
 * A scheduler in WebAssembly, with the protocol of verwalter 0.13. As with Lua, the program runs on
 * its own thread while the caller waits. Memory persists between decisions; after a failed one, the
 * next starts with a new instance.
 */
public final class WasmScheduler implements Scheduler {
  private static final String FUNCTION = "scheduler";

  private final String hash;
  private final ProgramThread<WasmProgram> program;

  private WasmScheduler(String hash, ProgramThread<WasmProgram> program) {
    this.hash = hash;
    this.program = program;
  }

  /**
   * Loads the scheduler of a directory: {@code scheduler.wasm} if it exists, otherwise {@code
   * main.lua}. Blocks until it is loaded.
   *
   * @param lua the engine for a scheduler in Lua
   * @throws Scheduler.Failed if it cannot be loaded
   */
  public static Scheduler loadAny(Code code, Budget budget, LuaEngine lua, ProgramThreads threads)
      throws Failed {
    return code.has(Code.SCHEDULER)
        ? load(code, budget, threads)
        : LuaScheduler.load(code, budget, lua, threads);
  }

  /**
   * Loads {@code scheduler.wasm}; blocks until it is loaded.
   *
   * @throws Scheduler.Failed if it is missing or not valid, has an unknown import, lacks an export,
   *     or its start function fails
   */
  public static WasmScheduler load(Code code, Budget budget, ProgramThreads threads) throws Failed {
    return new WasmScheduler(
        code.hash(), confined(code, Code.SCHEDULER, budget, threads, List.of(FUNCTION)));
  }

  static ProgramThread<WasmProgram> confined(
      Code code, String file, Budget budget, ProgramThreads threads, List<String> functions)
      throws Failed {
    var text = code.files().get(file);
    if (text == null) {
      var problem = code.problems().get(file);
      throw new Failed(
          problem == null ? "no file '%s' in %s".formatted(file, code.place()) : problem, "");
    }
    var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return ProgramThread.load(
        new ProgramThread.Setting<>(
            code.place(),
            "wasm-" + file.replaceFirst("\\.wasm$", ""),
            LuaScheduler.STACK,
            threads,
            () -> WasmProgram.load(file, bytes, budget, functions)),
        budget.wallTime());
  }

  @Override
  public String code() {
    return hash;
  }

  @Override
  public Decision decide(Map<String, Object> input) throws Failed {
    return program.use(
        loaded -> {
          var result = loaded.call(FUNCTION, input);
          return decision(result, Json.object(input.get("actions")), loaded);
        });
  }

  private static Decision decision(
      Map<String, Object> result, Map<String, Object> actions, WasmProgram program) throws Failed {
    var log = new StringBuilder();
    program.panics().forEach(line -> log.append(line).append('\n'));
    if (!(result.get("log") instanceof String said)) {
      throw wrong("'log' must be a text", result.get("log"), log.toString());
    }
    log.append(said);
    if (!(result.get("schedule") instanceof Map<?, ?> schedule)) {
      throw wrong("'schedule' must be an object", result.get("schedule"), log.toString());
    }
    var problem = ScheduleShape.STRICT.problem(Json.object(schedule));
    if (problem.isPresent()) {
      throw new Failed(
          Code.SCHEDULER + ": invalid return value: schedule." + problem.get(), log.toString());
    }
    var given = result.get("actions");
    if (given != null && !(given instanceof Map<?, ?>)) {
      throw wrong("'actions' must be an object or absent", given, log.toString());
    }
    var answers = new LinkedHashMap<String, Object>();
    Json.object(given)
        .forEach(
            (id, answer) -> {
              if (actions.containsKey(id)) {
                answers.put(id, answer);
              } else {
                log.append("\nunsolicited answer to action ").append(id);
              }
            });
    return new Decision(
        Json.object(schedule), log.toString(), program.instructions(), false, List.of(), answers);
  }

  private static Failed wrong(String problem, @Nullable Object value, String log) {
    var kind = value == null ? "null or absent" : value.getClass().getSimpleName();
    return new Failed(
        Code.SCHEDULER + ": invalid return value: " + problem + ", but is " + kind, log);
  }

  /** Ends the program's thread; later decisions fail. Calling it twice has no effect. */
  @Override
  public void close() {
    program.close();
  }
}
