package verwalter.agent;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import verwalter.controllers.config.SchedulerFiles;
import verwalter.controllers.schedule.LoadedScheduler;
import verwalter.model.RoleConfig;
import verwalter.model.Scheduler;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.vm.VmEngine;
import verwalter.scheduler.record.CodeText;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.scheduler.wasm.WasmScheduler;

/**
 * Runs the programs in the scheduler directory of the configuration, for decisions and for queries.
 * Each run has a budget and a thread of its own.
 */
final class SchedulerPrograms {
  private final Path config;
  private final Path directory;
  private final LuaEngine engine;
  private final ThreadFactory threads;
  private final Budget budget = Budget.DEFAULT.withMemory(Runtime.getRuntime().maxMemory() / 2);

  SchedulerPrograms(Path config, LuaEngine engine, ThreadFactory threads) {
    this.config = config;
    this.directory = config.resolve("scheduler").resolve("v1");
    this.engine = engine;
    this.threads = threads;
  }

  /**
   * The engine that the settings name.
   *
   * @throws SetupFailed if its jar is missing
   */
  static LuaEngine engine(Settings settings) throws SetupFailed {
    return switch (settings.luaEngine) {
      case vm -> new VmEngine();
      case luaj -> OptionalJars.load(LuaEngine.class, "luaj");
    };
  }

  /**
   * Reads the code at each load, and stores it with the decisions.
   *
   * @param inForce the compressed code of the cluster; empty if that in the directory counts
   */
  LoadedScheduler.Loader loader(DecisionArchive decisions, Callable<Optional<byte[]>> inForce) {
    return () -> {
      var code = code(inForce);
      decisions.know(code);
      return WasmScheduler.loadAny(code, budget, engine, SchedulerPrograms::thread);
    };
  }

  private Code code(Callable<Optional<byte[]>> inForce) throws Scheduler.Failed {
    try {
      var packed = inForce.call();
      return packed.isPresent() ? CodeText.unpack(new ByteArrayInputStream(packed.get())) : read();
    } catch (Exception broken) {
      throw new Scheduler.Failed(String.valueOf(broken.getMessage()), "");
    }
  }

  /**
   * The code in the directory, or the standard scheduler of a configuration that has services only.
   */
  private Code read() {
    boolean own = Files.exists(config.resolve("scheduler"));
    return !own && Files.isDirectory(config.resolve(RoleConfig.ROLES))
        ? Code.standard(directory)
        : Code.read(directory);
  }

  /** The scheduler's files in the directory. */
  SchedulerFiles files() {
    return () -> {
      var code = read();
      return new SchedulerFiles.Packed(code.hash(), CodeText.pack(code));
    };
  }

  /** The hash of the scheduler's files in the directory. */
  String hash() {
    return read().hash();
  }

  NodeQueries queries(String hostname, Supplier<String> deploymentIds, InstantSource clock) {
    var programs =
        new NodeQueries.Programs(
            budget, SchedulerPrograms::thread, task -> threads.newThread(task).start());
    return new NodeQueries(directory, hostname, programs, deploymentIds, clock);
  }

  private static Thread thread(Runnable task, String name, long stackBytes) {
    var thread = new Thread(null, task, name, stackBytes);
    thread.setDaemon(true);
    return thread;
  }
}
