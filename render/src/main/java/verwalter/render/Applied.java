package verwalter.render;

import java.util.List;
import verwalter.model.TemplateOutput;

/**
 * What a successful application left behind.
 *
 * @param files every file that the role's recipes keep, by path, written now or found equal
 * @param processes every process file accepted, in the order of the recipes
 * @param changed whether a file was written or removed; programs run either way
 * @param log what happened, for people; bounded
 */
public record Applied(
    List<TemplateOutput.File> files,
    List<TemplateOutput.ProcessFile> processes,
    boolean changed,
    String log) {
  public Applied {
    files = List.copyOf(files);
    processes = List.copyOf(processes);
  }
}
