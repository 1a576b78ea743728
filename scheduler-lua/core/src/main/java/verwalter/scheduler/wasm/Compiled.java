package verwalter.scheduler.wasm;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.Export;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.ValType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A module that was validated, instrumented with counters, and compiled; creates any number of
 * instances.
 */
final class Compiled {
  private static final int MOST_ELEMENTS = 1 << 20;

  private final WasmModule module;
  private final Function<Instance, Machine> machines;
  private final Metering metering;
  private final Metering.Limits limits;

  private Compiled(
      WasmModule module,
      Function<Instance, Machine> machines,
      Metering metering,
      Metering.Limits limits) {
    this.module = module;
    this.machines = machines;
    this.metering = metering;
    this.limits = limits;
  }

  /**
   * Validates and compiles a module.
   *
   * @param functions its required exports besides {@code alloc} and {@code dealloc}, all of the
   *     type {@code (i32 address, i32 length) -> i32 address}
   * @throws InvalidModule if the module is malformed, lacks an export, or uses something that is
   *     not allowed
   */
  static Compiled of(byte[] bytes, Metering.Limits limits, List<String> functions)
      throws InvalidModule {
    try {
      var original = Parser.parse(bytes);
      check(original, limits, functions);
      HostFunctions.of(original, new Panics());
      var metering = new Metering(limits, shape(original));
      var module = Parser.parse(metering.rewrite(bytes));
      var machines =
          MachineFactoryCompiler.builder(module)
              .withInterpreterFallback(InterpreterFallback.SILENT)
              .compile();
      return new Compiled(module, machines, metering, limits);
    } catch (ChicoryException malformed) {
      throw new InvalidModule("it is no valid module: " + malformed.getMessage());
    }
  }

  Metering metering() {
    return metering;
  }

  Metering.Limits limits() {
    return limits;
  }

  /** A new instance that is not initialized: no code of the module has run. */
  Instance instance(Panics panics) throws InvalidModule {
    return Instance.builder(module)
        .withImportValues(HostFunctions.of(module, panics))
        .withMachineFactory(machines)
        .withMemoryFactory(this::memory)
        .withInitialize(false)
        .build();
  }

  private Memory memory(MemoryLimits wanted) {
    return new ByteArrayMemory(
        new MemoryLimits(
            wanted.initialPages(),
            Math.max(wanted.initialPages(), Math.min(wanted.maximumPages(), limits.pages()))));
  }

  private static Metering.Shape shape(WasmModule module) throws InvalidModule {
    var types = module.typeSection();
    if (types.typeCount() != types.subTypeCount()) {
      throw new InvalidModule(
          "it has types of the garbage collection proposal, which is not supported");
    }
    int imports = module.importSection().count(ExternalType.FUNCTION);
    return new Metering.Shape(
        module.typeSection().typeCount(),
        imports,
        imports + module.functionSection().functionCount(),
        module.globalSection().globalCount());
  }

  private static void check(WasmModule module, Metering.Limits limits, List<String> functions)
      throws InvalidModule {
    var exports = new HashMap<String, Export>();
    var section = module.exportSection();
    for (int i = 0; i < section.exportCount(); i++) {
      exports.put(section.getExport(i).name(), section.getExport(i));
    }
    checkMemory(module, exports, limits);
    for (int i = 0; i < module.tableSection().tableCount(); i++) {
      if (module.tableSection().getTable(i).limits().min() > MOST_ELEMENTS) {
        throw new InvalidModule("its table has more than " + MOST_ELEMENTS + " elements");
      }
    }
    checkFunction(module, exports, "alloc", 1, List.of(ValType.I32));
    checkFunction(module, exports, "dealloc", 1, List.of());
    for (var name : functions) {
      checkFunction(module, exports, name, 2, List.of(ValType.I32));
    }
  }

  private static void checkMemory(
      WasmModule module, Map<String, Export> exports, Metering.Limits limits) throws InvalidModule {
    var export = exports.get("memory");
    var section = module.memorySection();
    if (export == null
        || export.exportType() != ExternalType.MEMORY
        || section.isEmpty()
        || section.get().memoryCount() != 1) {
      throw new InvalidModule("it must have one memory and export it as 'memory'");
    }
    var memory = section.get().getMemory(0).limits();
    if (memory.shared()) {
      throw new InvalidModule("its memory is shared between threads, but there are none");
    }
    if (memory.initialPages() > limits.pages()) {
      throw new InvalidModule(
          "it starts with %d bytes of memory: %s"
              .formatted(memory.initialPages() * (long) Memory.PAGE_SIZE, memoryUsedUp(limits)));
    }
  }

  static String memoryUsedUp(Metering.Limits limits) {
    return "memory budget of %d bytes used up".formatted(limits.pages() * (long) Memory.PAGE_SIZE);
  }

  private static void checkFunction(
      WasmModule module,
      Map<String, Export> exports,
      String name,
      int parameters,
      List<ValType> results)
      throws InvalidModule {
    var export = exports.get(name);
    if (export == null || export.exportType() != ExternalType.FUNCTION) {
      throw new InvalidModule("it does not export a function '" + name + "'");
    }
    var type = type(module, export.index());
    if (type.params().size() != parameters
        || !type.params().stream().allMatch(ValType.I32::equals)
        || !type.returns().equals(results)) {
      throw new InvalidModule(
          "its function '%s' is %s, but must take %d x i32 and give %s"
              .formatted(name, type, parameters, results.isEmpty() ? "nothing" : "an i32"));
    }
  }

  private static FunctionType type(WasmModule module, int function) {
    int imports = module.importSection().count(ExternalType.FUNCTION);
    if (function >= imports) {
      int index = module.functionSection().getFunctionType(function - imports);
      return module.typeSection().getType(index);
    }
    var wanted =
        module.importSection().stream()
            .filter(each -> each.importType() == ExternalType.FUNCTION)
            .skip(function)
            .findFirst()
            .orElseThrow();
    return module
        .typeSection()
        .getType(((com.dylibso.chicory.wasm.types.FunctionImport) wanted).typeIndex());
  }
}
