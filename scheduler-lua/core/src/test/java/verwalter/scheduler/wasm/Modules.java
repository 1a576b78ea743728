package verwalter.scheduler.wasm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.ProgramThreads;

/** The modules in {@code wasm} of the test resources. */
final class Modules {
  static final ProgramThreads THREADS =
      (task, name, stack) -> {
        var thread = new Thread(null, task, name, stack);
        thread.setDaemon(true);
        return thread;
      };

  /** A scheduler directory that contains only the module. */
  static Code code(String file, String resource) {
    try (var in = Modules.class.getResourceAsStream("/wasm/" + resource + ".wasm")) {
      var text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return new Code("v1", Map.of(file, text), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WasmScheduler scheduler(String resource, Budget budget) throws Failed {
    return WasmScheduler.load(code(Code.SCHEDULER, resource), budget, THREADS);
  }

  private Modules() {}
}
