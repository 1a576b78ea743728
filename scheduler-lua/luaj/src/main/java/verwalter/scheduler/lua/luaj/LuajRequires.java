package verwalter.scheduler.lua.luaj;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.Sources;
import verwalter.scheduler.lua.syntax.SyntaxError;

/** The function {@code require}. */
final class LuajRequires {
  private final LuajState machine;
  private final Sources sources;
  private final Map<String, LuaValue> loaded = new HashMap<>();
  private final List<String> loading = new ArrayList<>();

  private LuajRequires(LuajState machine, Sources sources) {
    this.machine = machine;
    this.sources = sources;
  }

  /** Makes it a global; the libraries that are globals by now count as loaded. */
  static void install(LuajState machine, Sources sources) {
    var requires = new LuajRequires(machine, sources);
    for (var name : List.of("_G", "table", "string", "utf8", "math", "debug")) {
      requires.loaded.put(name, machine.globals.get(name));
    }
    machine.globals.set("require", machine.function("require", requires::require));
  }

  private Varargs require(LuajArgs args) {
    var name = args.text(1);
    var known = loaded.get(name);
    if (known != null) {
      return known;
    }
    if (loading.contains(name)) {
      throw machine.error(
          "module '" + name + "' requires itself: " + String.join(" -> ", loading) + " -> " + name);
    }
    loading.add(name);
    try {
      var value = chunk(name).call(args.string(1), LuaValue.NIL);
      var kept = value.isnil() ? LuaValue.TRUE : value;
      loaded.put(name, kept);
      return kept;
    } finally {
      loading.remove(loading.size() - 1);
    }
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
