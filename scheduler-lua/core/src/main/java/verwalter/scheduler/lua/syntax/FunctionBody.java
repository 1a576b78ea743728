package verwalter.scheduler.lua.syntax;

import java.util.List;

/**
 * One function, or a whole chunk.
 *
 * @param number unique in the chunk; 0 is the chunk itself
 * @param name its name in the source, as far as its definition shows it; may be empty
 * @param parameters without {@code ...}; a chunk has one, {@code _ENV}
 * @param variadic whether it takes additional arguments
 * @param line its first line; 0 for a chunk
 * @param lastLine the line of its {@code end}
 */
public record FunctionBody(
    int number,
    String name,
    List<Local> parameters,
    boolean variadic,
    List<Statement> block,
    int line,
    int lastLine) {}
