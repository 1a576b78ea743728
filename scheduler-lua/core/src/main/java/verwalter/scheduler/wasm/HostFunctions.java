package verwalter.scheduler.wasm;

import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.WasmFunctionHandle;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.ValType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The functions of {@code env} that a module may import, with their number of parameters. A
 * parameter of a wrong type is an error only when the function is called, as in verwalter 0.13.
 */
final class HostFunctions {
  private static final String PANIC = "log_panic";
  private static final Map<String, Integer> PARAMETERS =
      Map.of(
          PANIC, 5, "pow", 2, "fmod", 2, "exp2", 1, "exp2f", 1, "ldexp", 2, "ldexpf", 2, "log10", 1,
          "log10f", 1);

  /** The functions that the module imports. */
  static ImportValues of(WasmModule module, Panics panics) throws InvalidModule {
    var imports = module.importSection();
    var functions = new ImportFunction[imports.importCount()];
    for (int i = 0; i < functions.length; i++) {
      functions[i] = function(module, imports.getImport(i), panics);
    }
    return ImportValues.builder().addFunction(functions).build();
  }

  private static ImportFunction function(WasmModule module, Import wanted, Panics panics)
      throws InvalidModule {
    var name = wanted.module() + "." + wanted.name();
    if (!(wanted instanceof FunctionImport function)) {
      throw new InvalidModule("it imports %s, which is no function".formatted(name));
    }
    var parameters = wanted.module().equals("env") ? PARAMETERS.get(wanted.name()) : null;
    if (parameters == null) {
      throw new InvalidModule(
          "it imports %s, which is not provided; there are, in env: %s"
              .formatted(name, PARAMETERS.keySet().stream().sorted().toList()));
    }
    var type = module.typeSection().getType(function.typeIndex());
    boolean panic = wanted.name().equals(PANIC);
    boolean fits =
        panic
            ? type.returns().isEmpty() && type.params().stream().allMatch(ValType.I32::equals)
            : type.returns().size() == 1;
    if (type.params().size() != parameters || !fits) {
      throw new InvalidModule(
          "it imports %s as %s, but that takes %d parameters%s"
              .formatted(
                  name,
                  shown(type),
                  parameters,
                  panic ? ", all i32, and gives nothing" : " and gives one result"));
    }
    return new HostFunction(
        wanted.module(),
        wanted.name(),
        type,
        panic ? panics.handle() : arithmetic(wanted.name(), type));
  }

  private static WasmFunctionHandle arithmetic(String name, FunctionType type) {
    var meaning = ImportedArithmetic.of(name, signature(type));
    return (instance, arguments) -> {
      if (meaning.isEmpty()) {
        throw new ImportedArithmetic.Unknown(
            "env.%s has no meaning for %s".formatted(name, shown(type)));
      }
      return new long[] {meaning.get().of(arguments)};
    };
  }

  private static String signature(FunctionType type) {
    return types(type.params(), " ") + " " + types(type.returns(), " ");
  }

  private static String shown(FunctionType type) {
    return "(%s) -> (%s)".formatted(types(type.params(), ", "), types(type.returns(), ", "));
  }

  private static String types(List<ValType> types, String between) {
    return types.stream()
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(between));
  }

  private HostFunctions() {}
}
