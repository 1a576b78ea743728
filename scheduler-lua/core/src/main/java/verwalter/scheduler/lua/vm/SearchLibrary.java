package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Pattern;

/** The functions of the string library that search (Lua 5.3 manual, 6.4). */
final class SearchLibrary {
  private static final String SPECIAL = "^$*+?.([%-";

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
    var text = args.string(1);
    var wanted = args.string(2);
    long from = Math.max(StringLibrary.place(args.integer(3, 1), text.length()), 1);
    if (from > text.length() + 1L) {
      return null;
    }
    int start = (int) from - 1;
    if (find && (Operations.truth(args.get(4)) || isPlain(wanted))) {
      machine.meter.tick((long) (text.length() - start) / 8);
      int at = text.indexOf(wanted, start);
      return at < 0 ? null : Values.of(at + 1L, (long) at + wanted.length());
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

  private static boolean isPlain(String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      if (SPECIAL.indexOf(pattern.charAt(i)) >= 0) {
        return false;
      }
    }
    return true;
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
    var text = args.string(1);
    var pattern = pattern(args.string(2), text);
    var next = new int[] {0, -1};
    return machine.function(
        "for iterator",
        ignored -> {
          for (int at = next[0]; at <= text.length(); at++) {
            if (pattern.matchLiterally(at) && pattern.end() != next[1]) {
              next[0] = next[1] = pattern.end();
              return captures(text, pattern, pattern.values());
            }
          }
          next[0] = text.length() + 1;
          return null;
        });
  }

  private Object gsub(Args args) {
    var text = args.string(1);
    var wanted = args.string(2);
    var replacement = args.get(3);
    if (replacement == null || replacement instanceof Boolean) {
      throw args.bad(3, "string/function/table expected");
    }
    var pattern = pattern(wanted, text);
    long most = args.integer(4, text.length() + 1L);
    var result = new StringBuilder();
    int at = 0;
    int last = -1;
    long count = 0;
    while (count < most) {
      if (pattern.matchAt(at) && pattern.end() != last) {
        count++;
        int end = pattern.end();
        replace(replacement, text, pattern, result);
        at = last = end;
      } else if (at < text.length()) {
        result.append(text.charAt(at++));
      } else {
        break;
      }
      if (pattern.anchored()) {
        break;
      }
    }
    machine.reserve((long) result.length() + text.length() - at);
    return new Object[] {result.append(text, at, text.length()).toString(), count};
  }

  private void replace(Object replacement, String text, Pattern pattern, StringBuilder result) {
    int start = pattern.start();
    int end = pattern.end();
    Object value;
    if (replacement instanceof Table table) {
      value = machine.operations.index(table, capture(text, pattern, 0), null);
    } else if (replacement instanceof Function function) {
      var captured = Values.all(captures(text, pattern, pattern.values()));
      value = Values.first(function.call(captured));
    } else {
      template(Operations.text(replacement), text, pattern, result);
      return;
    }
    if (!Operations.truth(value)) {
      append(result, text.substring(start, end));
    } else if (value instanceof String || value instanceof Number) {
      append(result, Operations.text(value));
    } else {
      throw machine.error("invalid replacement value (a " + Operations.typeName(value) + ")");
    }
  }

  private void template(String template, String text, Pattern pattern, StringBuilder result) {
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c != '%') {
        result.append(c);
        continue;
      }
      char d = ++i < template.length() ? template.charAt(i) : '\0';
      if (d == '%') {
        result.append('%');
      } else if (d == '0') {
        append(result, text.substring(pattern.start(), pattern.end()));
      } else if (d >= '1' && d <= '9') {
        append(result, Operations.text(capture(text, pattern, d - '1')));
      } else {
        throw machine.error("invalid use of '%' in replacement string");
      }
    }
    append(result, "");
  }

  private void append(StringBuilder result, String more) {
    if ((long) result.length() + more.length() > machine.meter.budget().stringLength()) {
      throw machine.error(machine.meter.tooLong());
    }
    machine.meter.tick((long) more.length() / 64);
    result.append(more);
  }
}
