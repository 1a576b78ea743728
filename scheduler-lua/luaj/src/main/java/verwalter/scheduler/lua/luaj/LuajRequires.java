package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.Modules;
import verwalter.scheduler.lua.Sources;
import verwalter.scheduler.lua.syntax.SyntaxError;

/** The function {@code require}. */
final class LuajRequires {
  private final LuajState machine;
  private final Sources sources;
  private final Modules<LuaValue> modules = new Modules<>();

  private LuajRequires(LuajState machine, Sources sources) {
    this.machine = machine;
    this.sources = sources;
  }

  /** Makes it a global; the libraries that are globals already count as loaded. */
  static void install(LuajState machine, Sources sources) {
    var requires = new LuajRequires(machine, sources);
    for (var name : Modules.LIBRARIES) {
      requires.modules.add(name, machine.globals.get(name));
    }
    machine.globals.set("require", machine.function("require", requires::require));
  }

  private Varargs require(LuajArgs args) {
    return modules.require(
        args.text(1),
        name -> {
          var value = chunk(name).call(args.string(1), LuaValue.NIL);
          return value.isnil() ? LuaValue.TRUE : value;
        },
        machine::error);
  }

  private LuaValue chunk(String name) {
    try {
      var source = sources.module(name);
      return machine.compile(source.name(), source.text(), machine.globals);
    } catch (Sources.Missing missing) {
      throw machine.error("module '" + name + "' not found: " + missing.getMessage());
    } catch (SyntaxError problem) {
      throw machine.error("error loading module '" + name + "':\n\t" + problem.getMessage());
    }
  }
}
