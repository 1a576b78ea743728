package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Replacements;
import verwalter.scheduler.lua.library.SearchFunctions;
import verwalter.scheduler.lua.text.Pattern;

/** The search functions of the string library (Lua 5.3 manual, 6.4). */
final class SearchLibrary {
  private final VmState machine;

  private SearchLibrary(VmState machine) {
    this.machine = machine;
  }

  static void install(VmState machine) {
    var library = new SearchLibrary(machine);
    library.add("find", args -> library.find(args, true));
    library.add("gmatch", library::gmatch);
    library.add("gsub", library::gsub);
    library.add("match", args -> library.find(args, false));
  }

  private void add(String name, Native.Body body) {
    machine.strings.set(name, machine.function("string." + name, body));
  }

  private @Nullable Object find(Args args, boolean find) {
    var text = args.text(1);
    var wanted = args.text(2);
    int start = SearchFunctions.start(args, text.length());
    if (start < 0) {
      return null;
    }
    if (find && (Operations.truth(args.get(4)) || SearchFunctions.isPlain(wanted))) {
      machine.meter.tick((long) (text.length() - start) / 8);
      int at = text.indexOf(wanted, start);
      return at < 0 ? null : Results.of(at + 1L, (long) at + wanted.length());
    }
    var pattern = pattern(wanted, text);
    if (!pattern.find(start)) {
      return null;
    }
    if (!find) {
      return captures(text, pattern, pattern.values());
    }
    var found = new @Nullable Object[2 + pattern.captures()];
    found[0] = pattern.start() + 1L;
    found[1] = (long) pattern.end();
    for (int i = 0; i < pattern.captures(); i++) {
      found[2 + i] = capture(text, pattern, i);
    }
    return found;
  }

  private Pattern pattern(String pattern, String subject) {
    return new Pattern(pattern, new Bytes(subject), machine.step);
  }

  private @Nullable Object captures(String text, Pattern pattern, int count) {
    if (count == 1) {
      return capture(text, pattern, 0);
    }
    var values = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = capture(text, pattern, i);
    }
    return values;
  }

  private Object capture(String text, Pattern pattern, int index) {
    int from = pattern.captureStart(index);
    if (pattern.isPosition(index)) {
      return from + 1L;
    }
    int to = pattern.captureEnd(index);
    machine.reserve(to - from);
    return text.substring(from, to);
  }

  private Object gmatch(Args args) {
    var text = args.text(1);
    var pattern = pattern(args.text(2), text);
    var matches = new SearchFunctions.Matches(pattern, text.length());
    return machine.function(
        "for iterator",
        ignored -> matches.next() ? captures(text, pattern, pattern.values()) : null);
  }

  private Object gsub(Args args) {
    var text = args.text(1);
    var wanted = args.text(2);
    var replacement = args.get(3);
    if (replacement == null || replacement instanceof Boolean) {
      throw args.bad(3, "string/function/table expected");
    }
    var pattern = pattern(wanted, text);
    var substitution = new Replacements(args, text, pattern);
    var result = substitution.replace(() -> replace(substitution, replacement, text, pattern));
    return new Object[] {result, substitution.count()};
  }

  private void replace(
      Replacements substitution, Object replacement, String text, Pattern pattern) {
    Object value;
    if (replacement instanceof Table table) {
      value = machine.operations.index(table, capture(text, pattern, 0), null);
    } else if (replacement instanceof Function function) {
      var captured = Results.all(captures(text, pattern, pattern.values()));
      value = Results.first(function.call(captured));
    } else {
      substitution.template(
          Operations.text(replacement), index -> Operations.text(capture(text, pattern, index)));
      return;
    }
    if (!Operations.truth(value)) {
      substitution.keep();
    } else if (value instanceof String || value instanceof Number) {
      substitution.append(Operations.text(value));
    } else {
      throw machine.error("invalid replacement value (a " + Operations.typeName(value) + ")");
    }
  }
}
