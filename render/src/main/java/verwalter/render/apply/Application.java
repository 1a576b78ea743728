package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.LocalDisk;
import verwalter.render.recipe.Command;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.Rendered;
import verwalter.render.release.Release;

/**
 * Applies what was rendered for one role on this machine: all of it, or nothing.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A file whose bytes, mode and owner are as wanted is not written.
 *   <li>A file that is written is complete and has its mode at every moment it can be seen.
 *   <li>If any command fails, every file this run switched is put back byte for byte, and what was
 *       handed to {@link ProcessFiles} has no effect.
 *   <li>The same holds after a crash at any moment, once {@link #recover} ran.
 * </ol>
 *
 * What programs did by themselves is theirs; it is not undone. Blocks while programs run. One
 * instance per role, used by one thread at a time.
 */
public final class Application {
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final Switch files;
  private final Undo undo;
  private final Stage stage;
  private final WrittenFiles written;

  /** One that makes one file after the other survive a power cut. */
  public Application(Path state, Programs programs, ProcessFiles processFiles) {
    this(state, programs, processFiles, Runnable::run);
  }

  /**
   * @param state a directory of this role alone; created when needed, for this user only
   * @param syncing where files are made to survive a power cut, which an application waits for;
   *     those of one directory at the same time if it has threads for it
   */
  public Application(Path state, Programs programs, ProcessFiles processFiles, Executor syncing) {
    this(state, programs, processFiles, new LocalDisk(syncing));
  }

  Application(Path state, Programs programs, ProcessFiles processFiles, Disk disk) {
    this.programs = programs;
    this.processFiles = processFiles;
    var own = LocalDisk.real(state);
    this.files = new Switch(disk, state.toAbsolutePath().toString());
    this.undo = new Undo(own.resolve("undo"), disk, files);
    this.stage = new Stage(own.resolve("stage"), disk);
    this.written = new WrittenFiles(own, disk);
  }

  /**
   * Stages the rendered files and runs the commands in order. Files of the last application that
   * nothing produces any more are removed after the last command that writes files, so that a
   * reload which follows does not see them.
   *
   * @param last what {@link Applied#files} of the last successful application was, as far as the
   *     caller could write it down; what is noted on disk is added
   * @throws ApplyFailed if any command fails, or the disk; everything is as it was
   */
  public Applied apply(Rendered rendered, List<TemplateOutput.File> last) throws ApplyFailed {
    return apply(rendered, Map.of(), last);
  }

  /**
   * Does what an application of the past did, with the texts of then. Files that were copied from
   * elsewhere get the bytes of then too; what programs read by themselves is as it is now.
   *
   * @param last as for {@link #apply}
   * @throws ApplyFailed as {@link #apply}
   */
  public Applied applyAgain(Release release, List<TemplateOutput.File> last) throws ApplyFailed {
    return apply(release.rendered(), release.files(), last);
  }

  private Applied apply(
      Rendered rendered, Map<String, FileState.Regular> then, List<TemplateOutput.File> last)
      throws ApplyFailed {
    var log = new RunLog();
    recover(log);
    var known = known(last, log);
    var scripts = new ArrayList<Script>();
    try {
      var staged = stage.fill(rendered);
      for (int i = 0; i < staged.size(); i++) {
        var paths = staged.get(i);
        Run.Names names = name -> rendered.meaning(name, file -> String.valueOf(paths.get(file)));
        scripts.add(new Script(rendered.parts().get(i).commands(), names));
      }
    } catch (IOException e) {
      throw new ApplyFailed("cannot stage the rendered files: " + e, log, e);
    }
    var result =
        transaction(
            touched(scripts, known),
            known,
            rendered.logDirectories(),
            log,
            run -> execute(scripts, run.with(then)));
    discardStage();
    return result;
  }

  private List<TemplateOutput.File> known(List<TemplateOutput.File> last, RunLog log)
      throws ApplyFailed {
    try {
      return written.with(last);
    } catch (IOException e) {
      throw new ApplyFailed("cannot tell what was written before: " + e, log, e);
    }
  }

  /** The commands of one recipe and what their names stand for. */
  private record Script(List<Command> commands, Run.Names names) {}

  /** What is known before anything runs. The rest is announced when it is. */
  private static SortedSet<Path> touched(List<Script> scripts, List<TemplateOutput.File> last) {
    var paths = new TreeSet<Path>();
    try {
      for (var file : last) {
        paths.add(Destination.reached(Path.of(file.path())));
      }
    } catch (IOException e) {
      // Then it cannot be removed either, and that will say why.
    }
    for (var script : scripts) {
      for (var command : script.commands()) {
        for (var destination : command.destinations()) {
          try {
            paths.add(Destination.of(destination, script.names()).real());
          } catch (Run.Failed e) {
            // The command itself will fail with the same words, at its place.
          }
        }
      }
    }
    return paths;
  }

  private static void execute(List<Script> scripts, Run run) throws Run.Failed {
    var claims = claims(scripts);
    long writing =
        scripts.stream()
            .flatMap(script -> script.commands().stream())
            .filter(Command::writesFiles)
            .count();
    if (writing == 0) {
      run.files().removeObsolete();
    }
    for (var script : scripts) {
      run.begin(script.commands(), script.names(), claims);
      for (var command : script.commands()) {
        run.execute(command);
        if (command.writesFiles() && --writing == 0) {
          run.files().removeObsolete();
        }
      }
    }
  }

  private static Predicate<Path> claims(List<Script> scripts) {
    Predicate<Path> any = path -> false;
    for (var script : scripts) {
      for (var command : script.commands()) {
        try {
          any = any.or(Claims.of(command, script.names()));
        } catch (Run.Failed e) {
          // The command itself will fail with the same words, at its place.
        }
      }
    }
    return any;
  }

  /** What happens between the beginning and the end of a transaction. */
  @FunctionalInterface
  private interface Work {
    void on(Run run) throws Run.Failed;
  }

  private Applied transaction(
      SortedSet<Path> paths,
      List<TemplateOutput.File> known,
      LogDirectories logDirectories,
      RunLog log,
      Work work)
      throws ApplyFailed {
    var transaction = new Transaction(files, undo, paths);
    var roleFiles = new RoleFiles(transaction, log, known);
    var run = new Run(stage, transaction, programs, processFiles, logDirectories, roleFiles, log);
    try {
      work.on(run);
      var applied = run.result();
      written.note(applied.files()).ifPresent(files::owe);
      files.settle();
      transaction.commit();
      return applied;
    } catch (Run.Failed e) {
      throw rolledBack(transaction, log, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw rolledBack(transaction, log, "cannot finish: " + e, e);
    } catch (RuntimeException e) {
      throw rolledBack(transaction, log, "failed by a mistake in verwalter: " + e, e);
    }
  }

  private static ApplyFailed rolledBack(
      Transaction transaction, RunLog log, String message, Exception cause) {
    log.aside("failed: " + message);
    try {
      transaction.rollback().forEach(path -> log.aside(path + ": put back"));
      return new ApplyFailed(message, log, cause);
    } catch (IOException e) {
      var both =
          message + "; and not every file could be put back, which will be tried again: " + e;
      log.aside(both);
      var failed = new ApplyFailed(both, log, cause);
      failed.addSuppressed(e);
      return failed;
    }
  }

  /** A stage that stays is only untidy: the next run empties it. */
  private void discardStage() {
    try {
      stage.clear();
    } catch (IOException e) {
      // The next run says so if it cannot be emptied then.
    }
  }

  /**
   * Removes the files of the last application, when the role is gone. Those that somebody has
   * changed since are left, and the log says so.
   *
   * @throws ApplyFailed if one cannot be removed; then all are back
   */
  public Applied remove(List<TemplateOutput.File> last) throws ApplyFailed {
    var log = new RunLog();
    recover(log);
    var known = known(last, log);
    return transaction(
        touched(List.of(), known),
        known,
        LogDirectories.NONE,
        log,
        run -> run.files().removeObsolete());
  }

  /**
   * Puts back what a run that a crash ended had switched. Call it at start, before anything looks
   * at the files.
   *
   * @return the paths put back
   * @throws ApplyFailed if that is not possible now; what is missing will be tried again
   */
  public List<String> recover() throws ApplyFailed {
    return recover(new RunLog());
  }

  private List<String> recover(RunLog log) throws ApplyFailed {
    try {
      if (!undo.isPending()) {
        undo.clean();
        return List.of();
      }
      var restored = undo.rollback();
      restored.forEach(path -> log.aside(path + ": put back after an unfinished run"));
      return restored;
    } catch (IOException e) {
      throw new ApplyFailed("cannot put back the files of an unfinished run: " + e, log, e);
    }
  }
}
