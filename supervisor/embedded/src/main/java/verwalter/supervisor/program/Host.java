package verwalter.supervisor.program;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The properties of this machine and the settings of its supervisor for validation.
 *
 * @param sandboxes directory of the sandbox files
 * @param processes directory of the process files
 * @param stdio directory of the files that programs write to
 * @param user id that programs will run as
 * @param group id that programs will run as
 * @param fileLimit maximum number of open files that this user may allow a process
 * @param term value of {@code TERM} for programs
 * @param strict whether warnings are errors
 * @param commands whether processes may have a command
 * @param setpriv the program of util-linux that changes the user of commands; empty if it is
 *     missing
 */
public record Host(
    Path sandboxes,
    Path processes,
    Path stdio,
    long user,
    long group,
    long fileLimit,
    String term,
    boolean strict,
    boolean commands,
    Optional<Path> setpriv) {

  /** The name of the log of an instance. */
  public static String log(String sandbox, String process, int index) {
    return "%s.%s.%d.log".formatted(sandbox, process, index);
  }

  /** The log of an instance, unless its configuration says another one. */
  public Path logFile(String sandbox, String process, int index) {
    return stdio.resolve(log(sandbox, process, index));
  }
}
