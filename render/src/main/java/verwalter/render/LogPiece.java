package verwalter.render;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one recipe did in a run, without a break; or what is about the run as a whole.
 *
 * @param recipe the file below the role's templates; empty for what is about the whole run
 * @param text whole lines, for people
 * @param externalLogs where the logs were that the recipe looked at, in its order
 */
public record LogPiece(String recipe, String text, List<ExternalLog> externalLogs) {

  /**
   * A log that others write, as {@code PeekLog} found it.
   *
   * @param name the short name of a log directory, a slash, and the path in it
   * @param position how many bytes it held; 0 if there was none
   */
  public record ExternalLog(String name, long position) {}

  public LogPiece {
    externalLogs = List.copyOf(externalLogs);
  }

  /**
   * What is about the run as a whole.
   *
   * @param text whole lines
   */
  public static LogPiece ofRun(String text) {
    return new LogPiece("", text, List.of());
  }

  /** These, and then something about the run as a whole. */
  public static List<LogPiece> and(List<LogPiece> pieces, String text) {
    var all = new ArrayList<>(pieces);
    all.add(ofRun(text));
    return all;
  }

  /** All that these say. */
  public static String text(List<LogPiece> pieces) {
    return pieces.stream().map(LogPiece::text).collect(Collectors.joining());
  }
}
