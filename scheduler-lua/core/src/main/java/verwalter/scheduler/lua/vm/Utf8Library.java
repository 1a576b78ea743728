package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Utf8Functions;
import verwalter.scheduler.lua.text.Utf8;

/** UTF-8 (Lua 5.3 manual, 6.5). */
final class Utf8Library {
  private final VmState machine;
  private final Native step;

  private Utf8Library(VmState machine) {
    this.machine = machine;
    this.step = machine.function("for iterator", Utf8Library::nextCode);
  }

  static void install(VmState machine) {
    var library = new Utf8Library(machine);
    var table = new Table(machine.meter);
    table.set("charpattern", Utf8.CHAR_PATTERN);
    library.add(table, "char", Utf8Functions::chars);
    library.add(table, "codepoint", Utf8Library::codePoints);
    library.add(table, "codes", args -> Results.of(library.step, args.text(1), 0L));
    library.add(table, "len", Utf8Library::length);
    library.add(table, "offset", Utf8Library::offset);
    machine.globals.set("utf8", table);
  }

  private void add(Table table, String name, Native.Body body) {
    table.set(name, machine.function("utf8." + name, body));
  }

  private static @Nullable Object codePoints(Args args) {
    int[] codes = Utf8Functions.codePoints(args, new Bytes(args.text(1)));
    return Results.of(Arrays.stream(codes).mapToObj(code -> (Object) (long) code).toArray());
  }

  private static Object nextCode(Args args) {
    var next = Utf8Functions.next(args, new Bytes(args.text(1)));
    return next == null ? Results.NONE : new Object[] {next.position(), (long) next.code()};
  }

  private static @Nullable Object length(Args args) {
    long length = Utf8Functions.length(args, new Bytes(args.text(1)));
    return length < 0 ? Results.of(null, -length) : (Long) length;
  }

  private static @Nullable Object offset(Args args) {
    long found = Utf8Functions.offset(args, new Bytes(args.text(1)));
    return found > 0 ? (Long) found : null;
  }
}
