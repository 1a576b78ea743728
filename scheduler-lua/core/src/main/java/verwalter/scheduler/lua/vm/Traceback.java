package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** The active calls as text, in the format of {@code debug.traceback}. */
final class Traceback {
  private static final int FIRST = 10;
  private static final int LAST = 11;

  static String of(VmState machine, int from) {
    var text = new StringBuilder("stack traceback:");
    int depth = machine.depth();
    boolean all = depth - from <= FIRST + LAST;
    for (int level = from; level < depth; level++) {
      if (all || level < from + FIRST || level > depth - LAST) {
        call(machine, level, text);
      } else {
        text.append("\n\t...");
        level = depth - LAST;
      }
    }
    return text.append("\n\t[C]: in ?").toString();
  }

  private static void call(VmState machine, int level, StringBuilder text) {
    if (machine.level(level) instanceof Native library) {
      text.append("\n\t[C]: in function '").append(library.label()).append('\'');
      return;
    }
    if (!(machine.level(level) instanceof Frame frame)) {
      return;
    }
    var code = frame.function.code;
    text.append("\n\t").append(machine.position(level)).append("in ");
    var name = name(machine, level);
    if (code.chunk) {
      text.append("main chunk");
    } else if (name == null) {
      text.append("function <").append(code.chunkName).append(':').append(code.line).append('>');
    } else if (name.kind().equals("global")) {
      text.append("function '").append(name.name()).append('\'');
    } else {
      text.append(name);
    }
    if (frame.tail) {
      text.append("\n\t(...tail calls...)");
    }
  }

  /** The name of the function of a level at its caller. */
  static @Nullable Name name(VmState machine, int level) {
    if (machine.level(level) instanceof Frame frame && frame.tail) {
      return null;
    }
    return machine.level(level + 1) instanceof Frame caller ? caller.at.calledName() : null;
  }

  private Traceback() {}
}
