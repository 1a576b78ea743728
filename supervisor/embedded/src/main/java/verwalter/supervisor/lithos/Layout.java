package verwalter.supervisor.lithos;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a supervisor's files are.
 *
 * @param sandboxes one {@code NAME.yaml} per sandbox, written by the administrator
 * @param processes one process file per sandbox
 * @param run the supervisor's own notes on what runs; worth nothing after a reboot
 * @param stdio one file per sandbox with what its programs say
 * @param journal of process files as they came into force, if one is kept
 */
public record Layout(Path sandboxes, Path processes, Path run, Path stdio, Optional<Path> journal) {

  /** Everything below one directory: {@code sandboxes, processes, run, log, log/config}. */
  public static Layout in(Path base) {
    return new Layout(
        base.resolve("sandboxes"),
        base.resolve("processes"),
        base.resolve("run"),
        base.resolve("log"),
        Optional.of(base.resolve("log/config")));
  }

  /**
   * What lithos's master file says.
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
