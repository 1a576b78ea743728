package verwalter.scheduler.lua.syntax;

import java.util.List;

/**
 * A parsed source text.
 *
 * @param name its name in messages
 * @param rewrites the positions of syntax that Lua 5.2 does not have
 */
public record Chunk(String name, FunctionBody body, List<Rewrite> rewrites) {
  /**
   * Parses a source text.
   *
   * @param text its bytes, as characters 0 to 255
   * @throws SyntaxError if it is not valid Lua 5.3
   */
  public static Chunk parse(String name, String text) throws SyntaxError {
    return new Parser(name, text).chunk();
  }
}
