package verwalter.supervisor.lithos;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The directories of a supervisor.
 *
 * @param sandboxes one {@code NAME.yaml} per sandbox, written by the administrator
 * @param processes one process file per sandbox
 * @param run notes on running processes, not valid after a boot
 * @param stdio one file per sandbox with the output of its programs
 * @param journal of process files as they took effect, if one is kept
 */
public record Layout(Path sandboxes, Path processes, Path run, Path stdio, Optional<Path> journal) {

  /** All directories below one: {@code sandboxes, processes, run, log, log/config}. */
  public static Layout in(Path base) {
    return new Layout(
        base.resolve("sandboxes"),
        base.resolve("processes"),
        base.resolve("run"),
        base.resolve("log"),
        Optional.of(base.resolve("log/config")));
  }

  /**
   * The layout in lithos's master file.
   *
   * @throws ConfigException if it cannot be read
   */
  public static Layout ofMaster(Path file) throws ConfigException {
    var master = MasterConfig.read(Texts.read(file), file.toString());
    var directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
    return new Layout(
        directory.resolve(master.sandboxesDir()).normalize(),
        directory.resolve(master.processesDir()).normalize(),
        directory.resolve(master.runtimeDir()).resolve(master.stateDir()).normalize(),
        directory.resolve(master.stdioLogDir()).normalize(),
        master.configLogDir().map(log -> directory.resolve(log).normalize()));
  }
}
