package verwalter.scheduler.lua.syntax;

import java.util.List;

/**
 * One function, or a whole chunk.
 *
 * @param number unique in the chunk; 0 is the chunk itself
 * @param name what the source calls it, as far as the place of its definition tells; or empty
 * @param parameters without the dots; a chunk has one, {@code _ENV}
 * @param variadic whether it takes more arguments than it names
 * @param line where it begins; 0 for a chunk
 * @param lastLine where its {@code end} is
 */
public record FunctionBody(
    int number,
    String name,
    List<Local> parameters,
    boolean variadic,
    List<Statement> block,
    int line,
    int lastLine) {}
