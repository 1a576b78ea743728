package verwalter.render;

import java.util.List;
import verwalter.model.TemplateOutput;

/**
 * What a successful application left behind.
 *
 * @param files every file that the role's recipes keep, by path, written now or found equal
 * @param processes every process file accepted, in the order of the recipes
 * @param changed whether a file was written or removed; programs run either way
 * @param externalLogs where the logs were that the recipes looked at, in the order of the recipes
 * @param log what happened, for people; bounded
 */
public record Applied(
    List<TemplateOutput.File> files,
    List<TemplateOutput.ProcessFile> processes,
    boolean changed,
    List<ExternalLog> externalLogs,
    String log) {

  /**
   * A log that others write, as {@code PeekLog} found it (verwalter.md 7.6).
   *
   * @param name the short name of a log directory, a slash, and the path in it
   * @param position how many bytes it held; 0 if there was none
   */
  public record ExternalLog(String name, long position) {}

  public Applied {
    files = List.copyOf(files);
    processes = List.copyOf(processes);
    externalLogs = List.copyOf(externalLogs);
  }
}
