package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaClosure;

/** The active calls as text, in the format of {@code debug.traceback} of Lua 5.3. */
final class LuajTraceback {
  private static final int FIRST = 10;
  private static final int LAST = 11;

  static String of(CallFrames frames, int depth, int from) {
    var text = new StringBuilder("stack traceback:");
    for (int level = from; level < depth; level++) {
      if (level - from == FIRST && depth - level > LAST) {
        text.append("\n\t...");
        level = depth - LAST;
      }
      frame(frames, level, depth, text);
    }
    return text.append("\n\t[C]: in ?").toString();
  }

  private static void frame(CallFrames frames, int level, int depth, StringBuilder text) {
    var function = frames.function(level);
    if (function instanceof LuajFunction library) {
      text.append("\n\t[C]: in function '").append(library.label()).append('\'');
      return;
    }
    if (!(function instanceof LuaClosure closure)) {
      return;
    }
    text.append("\n\t").append(frames.position(level)).append("in ");
    if (closure.p.linedefined == 0) {
      text.append("main chunk");
      return;
    }
    var name = level + 1 < depth ? Registers.called(frames, level + 1) : null;
    if (name == null) {
      text.append("function <")
          .append(CallFrames.file(closure))
          .append(':')
          .append(closure.p.linedefined)
          .append('>');
    } else if (name.kind().equals("global")) {
      text.append("function '").append(name.name()).append('\'');
    } else {
      text.append(name.kind()).append(" '").append(name.name()).append('\'');
    }
  }

  private LuajTraceback() {}
}
