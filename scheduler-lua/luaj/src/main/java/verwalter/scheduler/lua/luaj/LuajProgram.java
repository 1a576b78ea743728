package verwalter.scheduler.lua.luaj;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
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
final class LuajProgram implements LuaProgram {
  private final LuajState machine;
  private LuaValue main = LuaValue.NIL;
  private String trace = "";

  private LuajProgram(Budget budget) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    var where = new Where();
    this.machine =
        new LuajState(
            Meter.sampling(budget, where::text, () -> threads.getThreadAllocatedBytes(thread)));
    where.frames = machine.frames;
  }

  /** The current position for the meter, once there are frames. */
  private static final class Where {
    private @Nullable CallFrames frames;

    String text() {
      return frames == null ? "main.lua" : frames.where();
    }
  }

  static LuajProgram load(Code code, Budget budget) throws Scheduler.Failed {
    var program = new LuajProgram(budget);
    var sources = new Sources(code);
    var machine = program.machine;
    LuajBaseLibrary.install(machine);
    LuajStringLibrary.install(machine);
    LuajTableLibrary.install(machine);
    LuajMathLibrary.install(machine);
    LuajUtf8Library.install(machine);
    LuajRequires.install(machine, sources);
    machine.begin();
    try {
      var source = sources.main();
      var chunk = machine.compile(source.name(), source.text(), machine.globals);
      program.main = program.run(chunk, LuaValue.NONE).arg1();
      machine.globals.set("_VERWALTER_MAIN", program.main);
    } catch (Sources.Missing | SyntaxError problem) {
      throw program.failed(String.valueOf(problem.getMessage()));
    } catch (BudgetExceeded over) {
      throw program.failed(String.valueOf(over.getMessage()));
    }
    return program;
  }

  @Override
  public Decision decide(Map<String, Object> input) throws Failed {
    StringMetatable.install(machine.stringMetatable);
    machine.begin();
    try {
      var scheduler = scheduler();
      var results = run(scheduler, LuajInputs.input(machine, input));
      var answer = answer(scheduler, results);
      return answer.decision(machine.meter.instructions(), machine.meter.budget(), machine.notes);
    } catch (BudgetExceeded over) {
      throw failed(String.valueOf(over.getMessage()));
    }
  }

  private LuaValue scheduler() throws Failed {
    if (!main.istable()) {
      throw failed(
          "main.lua: it must return a table with a function 'scheduler', but returned a "
              + main.typename()
              + " value");
    }
    var scheduler = main.rawget("scheduler");
    if (!scheduler.isfunction()) {
      throw failed(
          "main.lua: the field 'scheduler' of the table it returns must be a function, but is a "
              + scheduler.typename()
              + " value");
    }
    return scheduler;
  }

  private SchedulerAnswer answer(LuaValue scheduler, Varargs results) throws Failed {
    var place =
        scheduler instanceof LuaClosure closure
            ? CallFrames.file(closure) + ":" + closure.p.linedefined
            : "main.lua";
    var texts =
        run(
            machine.function(
                "tostring",
                args ->
                    LuaValue.varargsOf(
                        args.absent(1) ? LuaValue.NIL : machine.tostring(args.get(1)),
                        machine.tostring(args.get(2)))),
            results);
    return new SchedulerAnswer(
        place,
        texts.arg(1) instanceof LuaString schedule ? LuajText.latin1(schedule) : null,
        LuajText.latin1((LuaString) texts.arg(2)),
        machine.printed());
  }

  private Varargs run(LuaValue function, Varargs args) throws Failed {
    StringMetatable.install(machine.stringMetatable);
    trace = "";
    var handler =
        machine.function(
            "traceback",
            caught -> {
              trace = machine.frames.traceback(1);
              return caught.get(1);
            });
    var results = machine.protect(function, args, handler);
    if (results.arg1().toboolean()) {
      return results.subargs(2);
    }
    throw failed(message(results.arg(2)));
  }

  private String message(LuaValue value) {
    if (value.isstring()) {
      return value.tojstring();
    }
    var converted = machine.protect(machine.globals.get("tostring"), value, null);
    var text =
        value.istable() && !value.metatag(LuaValue.TOSTRING).isnil()
            ? converted.arg(2).tojstring()
            : "(error object is a " + value.typename() + " value)";
    return text;
  }

  private Failed failed(String message) {
    var log = machine.printed() + trace;
    return new Failed(message, log);
  }
}
