package verwalter.render.apply;

import java.util.List;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;

/**
 * The result of a successful application.
 *
 * @param files every file of the role's recipes by path, whether written or unchanged
 * @param processes every accepted process file, in the order of the recipes
 * @param changed whether a file was written or removed; programs run in any case
 * @param pieces the log, in order; its size is limited
 */
public record Applied(
    List<TemplateOutput.File> files,
    List<TemplateOutput.ProcessFile> processes,
    boolean changed,
    List<LogPiece> pieces) {

  public Applied {
    files = List.copyOf(files);
    processes = List.copyOf(processes);
    pieces = List.copyOf(pieces);
  }

  /** The log, for people. */
  public String log() {
    return LogPiece.text(pieces);
  }
}
