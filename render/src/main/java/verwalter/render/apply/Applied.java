package verwalter.render.apply;

import java.util.List;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;

/**
 * What a successful application left behind.
 *
 * @param files every file that the role's recipes keep, by path, written now or found equal
 * @param processes every process file accepted, in the order of the recipes
 * @param changed whether a file was written or removed; programs run either way
 * @param pieces what happened, in its order; the text of all is bounded
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

  /** What happened, for people. */
  public String log() {
    return LogPiece.text(pieces);
  }
}
