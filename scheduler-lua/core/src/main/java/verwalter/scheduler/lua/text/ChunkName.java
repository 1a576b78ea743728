package verwalter.scheduler.lua.text;

/** The names of chunks in messages (Lua's {@code luaO_chunkid}). */
public final class ChunkName {
  private static final int ROOM = 59;

  /** The name in messages; for a source text that is its own name, {@code [string "..."]}. */
  public static String shown(String name) {
    if (name.startsWith("=") || name.startsWith("@")) {
      var rest = name.substring(1);
      if (rest.length() <= ROOM) {
        return rest;
      }
      return name.startsWith("=")
          ? rest.substring(0, ROOM)
          : "..." + rest.substring(rest.length() - ROOM + 3);
    }
    int line = name.indexOf('\n');
    int room = ROOM - "[string \"...\"]".length();
    if (line < 0 && name.length() <= room) {
      return "[string \"" + name + "\"]";
    }
    var first = line < 0 ? name : name.substring(0, line);
    return "[string \"" + first.substring(0, Math.min(first.length(), room)) + "...\"]";
  }

  private ChunkName() {}
}
