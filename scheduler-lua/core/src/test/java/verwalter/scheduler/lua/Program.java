package verwalter.scheduler.lua;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import verwalter.model.Scheduler;
import verwalter.model.Scheduler.Decision;
import verwalter.model.Scheduler.Failed;

/** Builds, loads and runs a scheduler's directory. */
public final class Program {
  /** Makes daemon threads, as the agent does. */
  public static final ProgramThreads THREADS =
      (task, name, stack) -> {
        var thread = new Thread(null, task, name, stack);
        thread.setDaemon(true);
        return thread;
      };

  private final Path directory;
  private final LuaEngine engine;
  private Budget budget = Budget.DEFAULT;

  public Program(Path directory, LuaEngine engine) {
    this.directory = directory;
    this.engine = engine;
  }

  public Path directory() {
    return directory;
  }

  public Program file(String name, String text) {
    try {
      var file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException problem) {
      throw new IllegalStateException(problem);
    }
  }

  public Program main(String text) {
    return file("main.lua", text);
  }

  /** A main.lua whose scheduler has this body. */
  public Program body(String body) {
    return main("return {scheduler = function(input)\n" + body + "\nend}\n");
  }

  public Program budget(Budget limit) {
    budget = limit;
    return this;
  }

  public LuaScheduler load() throws Failed {
    return LuaScheduler.load(Code.read(directory), budget, engine, THREADS);
  }

  public Decision decide() throws Failed {
    return decide(Map.of());
  }

  public Decision decide(Map<String, Object> input) throws Failed {
    try (var scheduler = load()) {
      return scheduler.decide(input);
    }
  }

  /** The output of the program. */
  public String output() throws Failed {
    var log = decide().log();
    return log.endsWith("nil") ? log.substring(0, log.length() - 3) : log;
  }

  /** The error of the program. */
  public Scheduler.Failed failure() {
    try {
      decide();
    } catch (Failed failed) {
      return failed;
    }
    throw new AssertionError("it did not fail");
  }
}
