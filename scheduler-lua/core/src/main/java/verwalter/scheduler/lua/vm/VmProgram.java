package verwalter.scheduler.lua.vm;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.BudgetExceeded;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaProgram;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.SchedulerAnswer;
import verwalter.scheduler.lua.Sources;
import verwalter.scheduler.lua.syntax.SyntaxError;

/** One loaded {@code main.lua}. */
final class VmProgram implements LuaProgram {
  private final VmState machine;
  private @Nullable Object main;
  private String trace = "";

  private VmProgram(Budget budget) {
    var where = new Where();
    this.machine = new VmState(Meter.counting(budget, where::text));
    where.machine = machine;
  }

  /** The current position for the meter, once the state exists. */
  private static final class Where {
    private @Nullable VmState machine;

    String text() {
      return machine == null ? "main.lua" : machine.where();
    }
  }

  static VmProgram load(Code code, Budget budget) throws Scheduler.Failed {
    var program = new VmProgram(budget);
    var machine = program.machine;
    BaseLibrary.install(machine);
    DebugLibrary.install(machine);
    StringLibrary.install(machine);
    TableLibrary.install(machine);
    MathLibrary.install(machine);
    Utf8Library.install(machine);
    var sources = new Sources(code);
    Requires.install(machine, sources);
    machine.begin();
    try {
      var source = sources.main();
      var chunk = machine.compile(source.name(), source.text(), machine.globals);
      program.main = Results.first(program.run(chunk));
      machine.globals.set("_VERWALTER_MAIN", program.main);
    } catch (Sources.Missing | SyntaxError | BudgetExceeded problem) {
      throw program.failed(String.valueOf(problem.getMessage()));
    }
    return program;
  }

  @Override
  public Decision decide(Map<String, Object> input) throws Failed {
    machine.begin();
    try {
      var scheduler = scheduler();
      var results = run(scheduler, VmInputs.input(machine, input));
      return answer(scheduler, results)
          .decision(machine.meter.instructions(), machine.meter.budget(), machine.notes);
    } catch (BudgetExceeded over) {
      throw failed(String.valueOf(over.getMessage()));
    }
  }

  private Function scheduler() throws Failed {
    if (!(main instanceof Table table)) {
      throw failed(
          "main.lua: it must return a table with a function 'scheduler', but returned a "
              + Operations.typeName(main)
              + " value");
    }
    if (!(table.get("scheduler") instanceof Function scheduler)) {
      throw failed(
          "main.lua: the field 'scheduler' of the table it returns must be a function, but is a "
              + Operations.typeName(table.get("scheduler"))
              + " value");
    }
    return scheduler;
  }

  private SchedulerAnswer answer(Function scheduler, @Nullable Object results) throws Failed {
    var place =
        scheduler instanceof Closure closure
            ? closure.code.chunkName + ":" + closure.code.line
            : "main.lua";
    var convert = machine.function("tostring", args -> machine.tostring(args.get(1)));
    var first = Results.get(results, 0);
    var schedule = first == null ? null : (String) Results.first(run(convert, first));
    var debug = String.valueOf(Results.first(run(convert, Results.get(results, 1))));
    return new SchedulerAnswer(place, schedule, debug, machine.printed());
  }

  private @Nullable Object run(Function function, @Nullable Object... args) throws Failed {
    trace = "";
    var handler =
        machine.function(
            "traceback",
            caught -> {
              trace = Traceback.of(machine, 1);
              return caught.get(1);
            });
    var results = machine.protect(function, args, handler);
    if (!Boolean.TRUE.equals(results[0])) {
      throw failed(message(results[1]));
    }
    return Results.from(results, 1);
  }

  private String message(@Nullable Object value) {
    if (value instanceof String || value instanceof Number) {
      return utf8(Operations.text(value));
    }
    if (machine.operations.metamethod(value, "__tostring") == null) {
      return "(error object is a " + Operations.typeName(value) + " value)";
    }
    var convert = machine.function("tostring", args -> machine.tostring(args.get(1)));
    var converted = machine.protect(convert, new @Nullable Object[] {value}, null)[1];
    return converted instanceof String text
        ? utf8(text)
        : "(error object is a " + Operations.typeName(value) + " value)";
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private Failed failed(String message) {
    return new Failed(message, machine.printed() + trace);
  }
}
