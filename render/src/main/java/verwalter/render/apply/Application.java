package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.LocalDisk;
import verwalter.render.recipe.Cmd;
import verwalter.render.recipe.Command;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Sh;
import verwalter.render.recipe.SwitchProcesses;
import verwalter.render.release.Release;

/**
 * Applies the rendered files and commands of one role on this machine atomically.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A file whose bytes, mode and owner are as desired is not written.
 *   <li>A written file is complete and has its mode whenever it is visible.
 *   <li>If a command fails, every file that this run changed is restored byte for byte, and the
 *       process files handed to {@link ProcessFiles} have no effect.
 *   <li>The same holds after a crash at any step, once {@link #recover} has run.
 *   <li>Changes of a complete application survive a power cut, once {@link #recover} has run.
 * </ol>
 *
 * Effects of programs are not undone. Blocks while programs run. Use one instance for each role,
 * from one thread at a time.
 */
public final class Application {
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final Switch files;
  private final RoleJournal journal;
  private final Stage stage;

  /** An application that syncs files one after the other. */
  public Application(Path state, Programs programs, ProcessFiles processFiles) {
    this(state, programs, processFiles, Runnable::run);
  }

  /**
   * @param state a directory for this role only; created if needed, accessible to this user only
   * @param syncing executor on which files are synced; those of one directory concurrently if it
   *     has several threads
   */
  public Application(Path state, Programs programs, ProcessFiles processFiles, Executor syncing) {
    this(state, programs, processFiles, new LocalDisk(syncing));
  }

  Application(Path state, Programs programs, ProcessFiles processFiles, Disk disk) {
    this.programs = programs;
    this.processFiles = processFiles;
    var own = LocalDisk.real(state);
    this.files = new Switch(disk, state.toAbsolutePath().toString());
    this.journal = new RoleJournal(own.resolve("undo"), disk, files, new WrittenFiles(own, disk));
    this.stage = new Stage(own.resolve("stage"), disk);
  }

  /**
   * Stages the rendered files and runs the commands in order. Files of the last application that
   * are no longer produced are removed after the last command that writes files, so that a later
   * reload does not see them.
   *
   * @param last the {@link Applied#files} of the last successful application as far as the caller
   *     stored them; the record on disk is added
   * @throws ApplyFailed if a command or the disk fails; all changes are undone
   */
  public Applied apply(Rendered rendered, List<TemplateOutput.File> last) throws ApplyFailed {
    return apply(rendered, Map.of(), last);
  }

  /**
   * Repeats an earlier application with its texts, including those of copied files. Files that
   * programs read themselves are the current ones.
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
    List<Script> scripts;
    try {
      scripts = scripts(rendered);
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

  /**
   * Stages the rendered files, and runs the checks of each recipe: the commands {@code !Cmd} and
   * {@code !Sh} before the first one that writes files. Then validates each process file that is
   * rendered, also within a condition. Puts nothing in place.
   *
   * @throws ApplyFailed if a check or the disk fails, or a process file is refused
   */
  public Applied check(Rendered rendered) throws ApplyFailed {
    var log = new RunLog();
    recover(log);
    var transaction = new Transaction(files, journal, new TreeSet<>());
    var roleFiles = new RoleFiles(transaction, log, List.of());
    var run =
        new Run(
            stage, transaction, programs, processFiles, rendered.logDirectories(), roleFiles, log);
    try {
      for (var script : scripts(rendered)) {
        run.begin(List.of(), script.names(), path -> false);
        for (var command : checks(script.commands())) {
          run.execute(command);
        }
        for (var command : switches(script.commands())) {
          if (run.isRendered(command)) {
            run.execute(command);
          }
        }
      }
      return run.result();
    } catch (IOException e) {
      throw new ApplyFailed("cannot stage the rendered files: " + e, log, e);
    } catch (Run.Failed e) {
      throw new ApplyFailed(String.valueOf(e.getMessage()), log, e);
    } finally {
      discardStage();
    }
  }

  private static List<Command> checks(List<Command> commands) {
    if (commands.stream().noneMatch(Command::writesFiles)) {
      return List.of(); // its commands do something else than to check what is written
    }
    return commands.stream()
        .takeWhile(command -> command instanceof Cmd || command instanceof Sh)
        .toList();
  }

  private static List<SwitchProcesses> switches(List<Command> commands) {
    return commands.stream()
        .flatMap(command -> Stream.concat(Stream.of(command), command.nested().stream()))
        .filter(SwitchProcesses.class::isInstance)
        .map(SwitchProcesses.class::cast)
        .toList();
  }

  private List<Script> scripts(Rendered rendered) throws IOException {
    var scripts = new ArrayList<Script>();
    var staged = stage.fill(rendered);
    for (int i = 0; i < staged.size(); i++) {
      var paths = staged.get(i);
      Run.Names names = name -> rendered.meaning(name, file -> String.valueOf(paths.get(file)));
      scripts.add(new Script(rendered.parts().get(i).commands(), names));
    }
    return scripts;
  }

  /** All files that the role may have written. One path may have two hashes. */
  private List<TemplateOutput.File> known(List<TemplateOutput.File> last, RunLog log)
      throws ApplyFailed {
    try {
      var all = new LinkedHashSet<>(last);
      all.addAll(journal.written());
      return List.copyOf(all);
    } catch (IOException e) {
      throw new ApplyFailed("cannot read the list of written files: " + e, log, e);
    }
  }

  /** The commands of one recipe with the values of their names. */
  private record Script(List<Command> commands, Run.Names names) {}

  /**
   * The files that are known before anything runs. The others are announced when they are known.
   */
  private static SortedSet<Path> touched(List<Script> scripts, List<TemplateOutput.File> last) {
    var paths = new TreeSet<Path>();
    try {
      for (var file : last) {
        paths.add(Destination.reached(Path.of(file.path())));
      }
    } catch (IOException e) {
      // Then it cannot be removed either, and that step reports the error.
    }
    for (var script : scripts) {
      for (var command : script.commands()) {
        for (var destination : command.destinations()) {
          try {
            paths.add(Destination.of(destination, script.names()).real());
          } catch (Run.Failed e) {
            // The command itself fails with the same message, with its position.
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
          // The command itself fails with the same message, with its position.
        }
      }
    }
    return any;
  }

  /** The steps between the beginning and the end of a transaction. */
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
    var transaction = new Transaction(files, journal, paths);
    var roleFiles = new RoleFiles(transaction, log, known);
    var run = new Run(stage, transaction, programs, processFiles, logDirectories, roleFiles, log);
    try {
      work.on(run);
      var applied = run.result();
      transaction.commit(applied.files());
      return applied;
    } catch (Run.Failed e) {
      keepStage();
      throw rolledBack(transaction, log, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw rolledBack(transaction, log, "cannot finish: " + e, e);
    } catch (RuntimeException e) {
      throw rolledBack(transaction, log, "failed because of a bug in verwalter: " + e, e);
    }
  }

  private static ApplyFailed rolledBack(
      Transaction transaction, RunLog log, String message, Exception cause) {
    log.aside("failed: " + message);
    try {
      transaction.rollback().forEach(path -> log.aside(path + ": put back"));
      return new ApplyFailed(message, log, cause);
    } catch (IOException e) {
      var both = message + "; not every file could be restored, which will be tried again: " + e;
      log.aside(both);
      var failed = new ApplyFailed(both, log, cause);
      failed.addSuppressed(e);
      return failed;
    }
  }

  /** For inspection. */
  private void keepStage() {
    try {
      stage.write();
    } catch (IOException e) {
      // The error of the run is more important.
    }
  }

  /** A stage that remains does no harm: the next run empties it. */
  private void discardStage() {
    try {
      stage.clear();
    } catch (IOException e) {
      // The next run reports it if it cannot empty the stage.
    }
  }

  /**
   * Removes the files of the last application when the role is removed. Files that were changed
   * since are kept, and the log reports them.
   *
   * @throws ApplyFailed if a file cannot be removed; then all are restored
   */
  public Applied remove(List<TemplateOutput.File> last) throws ApplyFailed {
    var log = new RunLog();
    recover(log);
    var known = known(last, log);
    var removed =
        transaction(
            touched(List.of(), known),
            known,
            LogDirectories.NONE,
            log,
            run -> run.files().removeObsolete());
    try {
      journal.discard();
      return removed;
    } catch (IOException e) {
      throw unsettled(e);
    }
  }

  /**
   * Syncs the files of the last application. Call it some time after {@link #apply}, when nobody
   * waits. Changes no file.
   *
   * @throws ApplyFailed if the disk fails; the files can still be restored after a power cut
   */
  public void settle() throws ApplyFailed {
    try {
      if (!journal.isOpen()) {
        journal.settle();
      }
    } catch (IOException e) {
      throw unsettled(e);
    }
  }

  private static ApplyFailed unsettled(IOException cause) {
    return new ApplyFailed("cannot sync the files: " + cause, new RunLog(), cause);
  }

  /**
   * Undoes a run that a crash interrupted, and restores the files of the last complete one after a
   * power cut. Call it at start, before any other use of the files.
   *
   * @return the restored paths
   * @throws ApplyFailed if files cannot be restored now; the rest will be tried again
   */
  public List<String> recover() throws ApplyFailed {
    return recover(new RunLog());
  }

  private List<String> recover(RunLog log) throws ApplyFailed {
    try {
      boolean unfinished = journal.isOpen();
      var restored = journal.recover();
      var why = unfinished ? ": put back after an unfinished run" : ": put back after a power cut";
      restored.forEach(path -> log.aside(path + why));
      return restored;
    } catch (IOException e) {
      throw new ApplyFailed("cannot put back the files of an unfinished run: " + e, log, e);
    }
  }
}
