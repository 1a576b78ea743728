package verwalter.scheduler.lua.vm;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Subject;
import verwalter.scheduler.lua.text.Utf8;

/** UTF-8 (Lua 5.3 manual, 6.5). */
final class Utf8Library {
  private final VmState machine;
  private final Native step;

  private Utf8Library(VmState machine) {
    this.machine = machine;
    this.step = machine.function("for iterator", this::nextCode);
  }

  static void install(VmState machine) {
    var library = new Utf8Library(machine);
    var table = new Table(machine.meter);
    table.set("charpattern", Utf8.CHAR_PATTERN);
    library.add(table, "char", library::chars);
    library.add(table, "codepoint", library::codePoint);
    library.add(table, "codes", args -> Values.of(library.step, args.string(1), 0L));
    library.add(table, "len", library::length);
    library.add(table, "offset", library::offset);
    machine.globals.set("utf8", table);
  }

  private void add(Table table, String name, Native.Body body) {
    table.set(name, machine.function("utf8." + name, body));
  }

  private Object chars(Args args) {
    var text = new StringBuilder();
    for (int i = 1; i <= args.count(); i++) {
      long code = args.integer(i);
      if (code < 0 || code > 0x10ffff) {
        throw args.bad(i, "value out of range");
      }
      text.append(Utf8.encode(code));
    }
    machine.reserve(text.length());
    return text.toString();
  }

  private @Nullable Object codePoint(Args args) {
    var text = new Bytes(args.string(1));
    long from = Utf8.place(args.integer(2, 1), text.length());
    long to = Utf8.place(args.integer(3, from), text.length());
    if (from < 1) {
      throw args.bad(2, "out of range");
    }
    if (to > text.length()) {
      throw args.bad(3, "out of range");
    }
    machine.reserve(Math.max(0, to - from + 1) * 8);
    var codes = new ArrayList<Object>();
    for (int at = (int) from - 1; at < to; ) {
      int code = valid(text, at);
      codes.add((long) code);
      at += Utf8.size(code);
    }
    return Values.of(codes.toArray());
  }

  private int valid(Subject text, int at) {
    int code = Utf8.decode(text, at);
    if (code < 0) {
      throw machine.error("invalid UTF-8 code");
    }
    return code;
  }

  private Object nextCode(Args args) {
    var text = new Bytes(args.string(1));
    long at = Math.max(args.integer(2), 0);
    while (at > 0 && Utf8.continuesAt(text, at)) {
      at++;
    }
    if (at >= text.length()) {
      return Values.NONE;
    }
    return new Object[] {at + 1, (long) valid(text, (int) at)};
  }

  private @Nullable Object length(Args args) {
    var text = new Bytes(args.string(1));
    long at = Utf8.place(args.integer(2, 1), text.length());
    long to = Utf8.place(args.integer(3, -1), text.length());
    if (at < 1 || at > text.length() + 1L) {
      throw args.bad(2, "initial position out of string");
    }
    if (to > text.length()) {
      throw args.bad(3, "final position out of string");
    }
    machine.meter.tick(Math.max(0, to - at));
    long count = 0;
    while (at <= to) {
      int code = Utf8.decode(text, (int) at - 1);
      if (code < 0) {
        return Values.of(null, at);
      }
      at += Utf8.size(code);
      count++;
    }
    return count;
  }

  private @Nullable Object offset(Args args) {
    var text = new Bytes(args.string(1));
    long count = args.integer(2);
    long at = Utf8.place(args.integer(3, count >= 0 ? 1 : text.length() + 1L), text.length()) - 1;
    if (at < 0 || at > text.length()) {
      throw args.bad(3, "position out of range");
    }
    if (count != 0 && Utf8.continuesAt(text, at)) {
      throw machine.error("initial position is a continuation byte");
    }
    machine.meter.tick((long) text.length() / 8);
    long found = Utf8.offset(text, at, count);
    return found > 0 ? (Long) found : null;
  }
}
