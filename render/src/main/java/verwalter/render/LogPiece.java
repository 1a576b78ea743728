package verwalter.render;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The log of one recipe in a run, or of a step of the run itself.
 *
 * @param recipe the file below the role's templates; empty for a step of the run itself
 * @param text whole lines, for people
 * @param externalLogs positions of the logs that the recipe names, in its order
 */
public record LogPiece(String recipe, String text, List<ExternalLog> externalLogs) {

  /**
   * The position of an external log when {@code PeekLog} ran.
   *
   * @param name the short name of a log directory, a slash, and the path in it
   * @param position its size in bytes; 0 if the log did not exist
   */
  public record ExternalLog(String name, long position) {}

  public LogPiece {
    externalLogs = List.copyOf(externalLogs);
  }

  /**
   * A piece about the run itself.
   *
   * @param text whole lines
   */
  public static LogPiece ofRun(String text) {
    return new LogPiece("", text, List.of());
  }

  /** These pieces, followed by one about the run itself. */
  public static List<LogPiece> and(List<LogPiece> pieces, String text) {
    var all = new ArrayList<>(pieces);
    all.add(ofRun(text));
    return all;
  }

  /** The joined text of these pieces. */
  public static String text(List<LogPiece> pieces) {
    return pieces.stream().map(LogPiece::text).collect(Collectors.joining());
  }
}
