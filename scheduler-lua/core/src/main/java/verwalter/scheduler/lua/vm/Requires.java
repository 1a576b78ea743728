package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Modules;
import verwalter.scheduler.lua.Sources;
import verwalter.scheduler.lua.syntax.SyntaxError;

/** The function {@code require}. */
final class Requires {
  /** The number of instructions that a search for a file costs. */
  private static final long FILE = 1000;

  private final VmState machine;
  private final Sources sources;
  private final Modules<Object> modules = new Modules<>();

  private Requires(VmState machine, Sources sources) {
    this.machine = machine;
    this.sources = sources;
  }

  /** Makes it a global; the libraries that are globals already count as loaded. */
  static void install(VmState machine, Sources sources) {
    var requires = new Requires(machine, sources);
    for (var name : Modules.LIBRARIES) {
      var library = machine.globals.get(name);
      if (library != null) {
        requires.modules.add(name, library);
      }
    }
    machine.globals.set("require", machine.function("require", requires::require));
  }

  private Object require(Args args) {
    return modules.require(
        args.text(1),
        name -> {
          var value = module(name);
          return value == null ? (Object) true : value;
        },
        machine::error);
  }

  private @Nullable Object module(String name) {
    var source = source(name);
    return source.bundled() && source.name().equals(JsonLibrary.PATH)
        ? JsonLibrary.module(machine)
        : Results.first(chunk(name, source).call(new @Nullable Object[] {name, null}));
  }

  private Sources.Source source(String name) {
    machine.meter.tick(FILE);
    try {
      return sources.module(name);
    } catch (Sources.Missing missing) {
      throw machine.error("module '" + name + "' not found: " + missing.getMessage());
    }
  }

  private Closure chunk(String name, Sources.Source source) {
    try {
      return machine.compile(source.name(), source.text(), machine.globals);
    } catch (SyntaxError problem) {
      throw machine.error("error loading module '" + name + "':\n\t" + problem.getMessage());
    }
  }
}
