package verwalter.render;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.TemplateOutput;

/** One application in progress: what its commands ask to act. Used by one thread, once. */
final class Run {
  private final Stage stage;
  private final Transaction transaction;
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final RunLog log;
  private final SortedMap<String, TemplateOutput.File> kept = new TreeMap<>();
  private final Map<String, TemplateOutput.ProcessFile> accepted = new LinkedHashMap<>();
  private Names names = name -> name;
  private Map<String, FileState.Regular> then = Map.of();

  /** What {@code {{ names }}} stand for in the recipe that runs now. */
  @FunctionalInterface
  interface Names extends Expansion.Names<RuntimeException> {}

  /** A command failed; the message says why in words. */
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message, null, false, false);
    }
  }

  Run(
      Stage stage,
      Transaction transaction,
      Programs programs,
      ProcessFiles processFiles,
      RunLog log) {
    this.stage = stage;
    this.transaction = transaction;
    this.programs = programs;
    this.processFiles = processFiles;
    this.log = log;
  }

  /** Copies to these paths take these files instead of sources that are not staged. */
  Run with(Map<String, FileState.Regular> then) {
    this.then = then;
    return this;
  }

  void execute(Command command, Names names) throws Failed {
    this.names = names;
    log.line(command.place() + ": " + String.join(" ", expand(command.words())));
    command.run(this);
  }

  String expand(String text) {
    return Expansion.expand(text, names);
  }

  List<String> expand(List<String> texts) {
    return texts.stream().map(this::expand).toList();
  }

  /** Puts a copy of a file at another path, unless it is there with that mode already. */
  void copy(String from, String to, Optional<Mode> mode) throws Failed {
    var dest = Destination.of(to);
    var old = then.isEmpty() || stage.holds(Path.of(from)) ? null : then.get(dest.toString());
    var source = old == null ? source(from) : old;
    try {
      var wanted = mode.orElse(stage.holds(Path.of(from)) ? Mode.DEFAULT : source.mode());
      var there = FileState.of(dest);
      if (there instanceof FileState.Other other) {
        throw new Failed(dest + " is " + other.what() + ", which no file may replace");
      }
      var parent = dest.getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        throw new Failed("the directory " + parent + " does not exist; create it first");
      }
      if (there instanceof FileState.Regular file && file.is(source.content(), wanted)) {
        log.line("  unchanged");
      } else {
        transaction.write(dest, source.content(), wanted);
        log.line("  written, " + source.content().length + " bytes");
      }
      var written = new FileState.Regular(source.content(), wanted, source.owner());
      kept.put(dest.toString(), written.described(dest));
    } catch (IOException e) {
      throw new Failed("cannot write " + dest + ": " + e);
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
      throw new Failed("the source " + from + " is not a regular file of a reasonable size");
    } catch (IOException | InvalidPathException e) {
      throw new Failed("cannot read the source " + from + ": " + e);
    }
  }

  void program(List<String> argv) throws Failed {
    finish(programs.run(argv));
  }

  void rootProgram(List<String> argv) throws Failed {
    finish(programs.runAsRoot(argv));
  }

  private void finish(Programs.Outcome outcome) throws Failed {
    log.output(outcome.output());
    var problem = outcome.problem();
    if (problem.isPresent()) {
      throw new Failed(problem.get() + lastWords(outcome.output()));
    }
  }

  /** The end of what a program said, which nearly always has the reason. */
  private static String lastWords(String output) {
    var lines = output.lines().filter(line -> !line.isBlank()).toList();
    return lines.isEmpty()
        ? ""
        : ": " + String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** Hands a process file over; it counts when the whole run succeeds. */
  void processFile(String sandbox, String file) throws Failed {
    try {
      var text = Text.utf8(source(file).content());
      accepted.put(sandbox, processFiles.accept(sandbox, text, file));
      log.line("  accepted");
    } catch (ProcessFiles.Refused e) {
      throw new Failed("the process file of " + sandbox + " is refused: " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw new Failed(file + " is not UTF-8");
    }
  }

  /** Removes what the role wrote before and no command of it has kept. */
  void removeObsolete(Collection<TemplateOutput.File> last) throws Failed {
    var hashes = new TreeMap<String, Set<String>>();
    for (var file : last) {
      if (!kept.containsKey(file.path())) {
        hashes.computeIfAbsent(file.path(), path -> new HashSet<>()).add(file.sha256());
      }
    }
    for (var each : hashes.entrySet()) {
      remove(Path.of(each.getKey()), each.getValue());
    }
  }

  /** Removes one file that this role wrote, unless somebody has changed it since. */
  private void remove(Path path, Set<String> ours) throws Failed {
    try {
      var there = FileState.of(path);
      if (there instanceof FileState.Absent) {
        log.line(path + ": is gone already");
      } else if (there instanceof FileState.Regular now
          && ours.contains(now.described(path).sha256())) {
        transaction.remove(path);
        log.line(path + ": removed, no longer produced");
      } else {
        log.line(path + ": no longer produced, but left alone: it was changed by somebody else");
      }
    } catch (IOException e) {
      throw new Failed("cannot remove " + path + ": " + e);
    }
  }

  Applied result() {
    return new Applied(
        new ArrayList<>(kept.values()),
        new ArrayList<>(accepted.values()),
        transaction.changed(),
        log.toString());
  }
}
