package verwalter.render.apply;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import verwalter.model.TemplateOutput;
import verwalter.render.Text;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.recipe.CleanFiles;
import verwalter.render.recipe.Cmd;
import verwalter.render.recipe.Command;
import verwalter.render.recipe.ConditionalCommands;
import verwalter.render.recipe.Copy;
import verwalter.render.recipe.Expansion;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.PeekLog;
import verwalter.render.recipe.RootCommand;
import verwalter.render.recipe.Sh;
import verwalter.render.recipe.SplitText;
import verwalter.render.recipe.SwitchProcesses;

/** One application in progress: the actions that its commands call. Used by one thread, once. */
final class Run implements Command.Visitor<Run.Failed> {
  private final Stage stage;
  private final Transaction transaction;
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final LogDirectories logDirectories;
  private final RoleFiles files;
  private final RunLog log;
  private final Map<String, TemplateOutput.ProcessFile> accepted = new LinkedHashMap<>();
  private final Map<String, Optional<String>> signatures = new TreeMap<>();
  private Predicate<Path> toBeWritten = path -> false;
  private Names names = name -> name;
  private Map<String, FileState.Regular> then = Map.of();

  /** The values of {@code {{ names }}} in the current recipe. */
  @FunctionalInterface
  interface Names extends Expansion.Names<RuntimeException> {}

  /** A command failed; the message has the cause. */
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean placed;

    Failed(String message) {
      this(message, false);
    }

    private Failed(String message, boolean placed) {
      super(message, null, false, false);
      this.placed = placed;
    }

    /** The same with the position and name of the innermost command that failed. */
    Failed at(Command command) {
      return placed
          ? this
          : new Failed(command.place() + ": !" + title(command) + ": " + getMessage(), true);
    }

    /** The command's tag, with the program that it runs if it names one. */
    private static String title(Command command) {
      var words = command.words();
      boolean named = command instanceof Cmd || command instanceof RootCommand;
      return named ? words.get(0) + " " + words.get(1) : words.get(0);
    }
  }

  Run(
      Stage stage,
      Transaction transaction,
      Programs programs,
      ProcessFiles processFiles,
      LogDirectories logDirectories,
      RoleFiles files,
      RunLog log) {
    this.stage = stage;
    this.transaction = transaction;
    this.programs = programs;
    this.processFiles = processFiles;
    this.logDirectories = logDirectories;
    this.files = files;
    this.log = log;
  }

  /** Copies to these paths use these files as sources, unless the source is staged. */
  Run with(Map<String, FileState.Regular> then) {
    this.then = then;
    return this;
  }

  /**
   * Begins the commands of a recipe: records the contents of the directories in its conditions.
   *
   * @param toBeWritten the files that commands of any recipe will write in this run
   */
  void begin(List<Command> commands, Names names, Predicate<Path> toBeWritten) throws Failed {
    this.names = names;
    this.toBeWritten = toBeWritten;
    for (var command : commands) {
      if (command instanceof ConditionalCommands condition) {
        for (var directory : expand(condition.directories())) {
          signatures.put(directory, signature(directory));
        }
      }
    }
  }

  void execute(Command command) throws Failed {
    try {
      log.recipe(command.place().file());
      log.line(command.place() + ": " + String.join(" ", expand(command.words())));
      command.accept(this);
    } catch (Failed e) {
      throw e.at(command);
    }
  }

  RoleFiles files() {
    return files;
  }

  private String expand(String text) {
    return Expansion.expand(text, names);
  }

  private List<String> expand(List<String> texts) {
    return texts.stream().map(this::expand).toList();
  }

  /** Copies a file to another path, unless that is identical already. */
  @Override
  public void copy(Copy command) throws Failed {
    var from = expand(command.src());
    var dest = Destination.of(command.dest(), names);
    var unwritten = stage.unwritten(from);
    if (unwritten.isPresent()) {
      files.put(dest, unwritten.get(), command.mode().orElse(Mode.DEFAULT));
      return;
    }
    boolean rendered = stage.holds(Path.of(from));
    var old = rendered ? null : then.get(dest.path().toString());
    var source = old == null ? source(from) : old;
    files.put(
        dest, source.content(), command.mode().orElse(rendered ? Mode.DEFAULT : source.mode()));
  }

  @Override
  public void splitText(SplitText command) throws Failed {
    var pattern = FilePattern.of(command.dest(), names);
    var text = text(expand(command.src()));
    files.split(
        Sections.of(text, command.section(), command.validate()),
        pattern,
        command.mode().orElse(Mode.DEFAULT));
  }

  @Override
  public void cleanFiles(CleanFiles command) throws Failed {
    var keep = new HashSet<>(Sections.lines(text(expand(command.keepList()))));
    files.clean(FilePattern.of(command.pattern(), names), keep);
  }

  /** The text of a file. */
  private String text(String from) throws Failed {
    try {
      var unwritten = stage.unwritten(from);
      return Text.utf8(unwritten.isPresent() ? unwritten.get() : source(from).content());
    } catch (CharacterCodingException e) {
      throw new Failed(from + " is not UTF-8");
    }
  }

  private static FileState.Regular source(String from) throws Failed {
    try {
      var path = Path.of(from);
      if (!path.isAbsolute()) {
        throw new Failed("the source `" + from + "` is not an absolute path");
      }
      if (FileState.of(path.toRealPath()) instanceof FileState.Regular file) {
        return file;
      }
      throw new Failed("the source " + from + " is not a regular file within the size limit");
    } catch (IOException | InvalidPathException e) {
      throw new Failed("cannot read the source " + from + ": " + e);
    }
  }

  @Override
  public void cmd(Cmd command) throws Failed {
    writeStage();
    finish(programs.run(expand(command.argv())));
  }

  @Override
  public void sh(Sh command) throws Failed {
    writeStage();
    finish(programs.run(List.of("sh", "-exc", expand(command.script()))));
  }

  @Override
  public void rootCommand(RootCommand command) throws Failed {
    writeStage();
    finish(programs.runAsRoot(expand(command.argv())));
  }

  /** Programs may read the rendered files. */
  private void writeStage() throws Failed {
    try {
      stage.write();
    } catch (IOException e) {
      throw new Failed("cannot stage the rendered files: " + e);
    }
  }

  private void finish(Programs.Outcome outcome) throws Failed {
    log.output(outcome.output());
    var problem = outcome.problem();
    if (problem.isPresent()) {
      throw new Failed(problem.get() + lastWords(outcome.output()));
    }
  }

  /** The end of a program's output, which usually has the cause of a failure. */
  private static String lastWords(String output) {
    var lines = output.lines().filter(line -> !line.isBlank()).toList();
    return lines.isEmpty()
        ? ""
        : ": " + String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** Passes a process file on; it takes effect when the whole run succeeds. */
  @Override
  public void switchProcesses(SwitchProcesses command) throws Failed {
    var sandbox = expand(command.sandbox());
    var file = expand(command.file());
    var text = text(file);
    try {
      accepted.put(sandbox, processFiles.accept(sandbox, text, file));
      log.line("  accepted");
    } catch (ProcessFiles.Refused e) {
      throw new Failed("the process file of " + sandbox + " is refused: " + e.getMessage());
    }
  }

  /** Whether the process file is a rendered one, not one that another command puts in place. */
  boolean isRendered(SwitchProcesses command) {
    try {
      return stage.holds(Path.of(expand(command.file())));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Process files within a condition that is not met are passed on as well. */
  @Override
  public void condition(ConditionalCommands command) throws Failed {
    boolean met = changed(expand(command.directories()));
    for (var nested : command.nested()) {
      if (met || nested instanceof SwitchProcesses) {
        execute(nested);
      } else {
        files.retain(Claims.of(nested, names));
      }
    }
  }

  /** Whether one of the directories has changed since the recipe began. */
  private boolean changed(List<String> directories) throws Failed {
    files.removeObsolete(
        path -> !toBeWritten.test(path) && directories.stream().anyMatch(path::startsWith));
    for (var directory : directories) {
      var before = signatures.getOrDefault(directory, Optional.empty());
      var now = signature(directory);
      log.line("Condition: \"" + directory + "\" " + comparison(before, now));
      if (!before.equals(now)) {
        return true;
      }
    }
    return false;
  }

  private static String comparison(Optional<String> before, Optional<String> now) {
    if (before.isEmpty()) {
      return now.isEmpty() ? "not exists" : "new directory";
    }
    var old = before.get().substring(0, 6);
    return now.isEmpty()
        ? "directory deleted"
        : before.equals(now)
            ? "unchanged " + old
            : "changed " + old + " -> " + now.get().substring(0, 6);
  }

  private static Optional<String> signature(String directory) throws Failed {
    try {
      return TreeSignature.of(Path.of(directory));
    } catch (IOException | InvalidPathException e) {
      throw new Failed("cannot look into " + directory + ": " + e);
    }
  }

  /** Records the size of a log. Never fails, since a missing log must not fail a deployment. */
  @Override
  public void peekLog(PeekLog command) {
    var position = logDirectories.position(expand(command.path()));
    position.log().ifPresent(log::externalLog);
    log.line(position.message());
  }

  Applied result() {
    return new Applied(
        files.kept(), new ArrayList<>(accepted.values()), transaction.changed(), log.pieces());
  }
}
