package verwalter.render.apply;

import java.io.IOException;
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
import java.util.function.Predicate;
import verwalter.model.TemplateOutput;
import verwalter.render.Text;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.disk.Owners;

/**
 * The files of a role in one run: those it writes, keeps and removes, all in one transaction. An
 * unchanged file is not touched.
 */
final class RoleFiles {
  private final Transaction transaction;
  private final RunLog log;
  private final SortedMap<String, TemplateOutput.File> kept = new TreeMap<>();
  private final Set<Path> keptInFact = new HashSet<>();
  private final Map<String, Path> made = new TreeMap<>();
  private final Map<String, List<TemplateOutput.File>> last = new TreeMap<>();
  private final List<Predicate<Path>> retained = new ArrayList<>();

  /**
   * @param last the files that the role may have written before; one path may have several hashes
   */
  RoleFiles(Transaction transaction, RunLog log, Collection<TemplateOutput.File> last) {
    this.transaction = transaction;
    this.log = log;
    for (var file : last) {
      this.last.computeIfAbsent(file.path(), path -> new ArrayList<>()).add(file);
    }
  }

  /**
   * All kept files. The owner of a file written in this run is read from disk: a command may have
   * changed it, and some file systems set their own.
   */
  List<TemplateOutput.File> kept() {
    return kept.values().stream()
        .map(file -> made.containsKey(file.path()) ? owned(file, made.get(file.path())) : file)
        .toList();
  }

  private static TemplateOutput.File owned(TemplateOutput.File file, Path real) {
    Optional<String> owner;
    try {
      owner = Optional.of(Owners.of(real).toString());
    } catch (IOException gone) {
      owner = Optional.empty();
    }
    return new TemplateOutput.File(file.path(), file.sha256(), file.mode(), file.size(), owner);
  }

  /** A desired file, and whether the disk matches it. */
  private record DesiredFile(
      Destination dest, Path real, FileState.Regular file, boolean granted) {}

  private static DesiredFile desired(Destination dest, byte[] content, Mode mode)
      throws IOException, Run.Failed {
    var real = dest.real();
    var there = FileState.of(real);
    if (there instanceof FileState.Other other) {
      throw new Run.Failed(
          dest.path() + " is " + other.what() + ", which is not replaced by a file");
    }
    var wanted = new FileState.Regular(content, mode, Owners.ofNewFile(real));
    return new DesiredFile(dest, real, wanted, wanted.equals(there));
  }

  private void grant(DesiredFile desired) throws IOException {
    if (!desired.granted()) {
      transaction.write(desired.real(), desired.file().content(), desired.file().mode());
    }
    var path = desired.dest().path();
    kept.put(path.toString(), desired.file().described(path));
    keptInFact.add(desired.real());
    made.put(path.toString(), desired.real());
  }

  /** Gives a file these bytes, this mode, and the owner of this process. */
  void put(Destination dest, byte[] content, Mode mode) throws Run.Failed {
    try {
      var desired = desired(dest, content, mode);
      if (!desired.granted()) {
        transaction.announce(List.of(desired.real()));
      }
      grant(desired);
      log.line(desired.granted() ? "  unchanged" : "  written, " + content.length + " bytes");
    } catch (IOException e) {
      throw new Run.Failed("cannot write " + dest.path() + ": " + e);
    }
  }

  /** Makes the matching files equal to these sections. */
  void split(Map<String, String> sections, FilePattern pattern, Mode mode) throws Run.Failed {
    var desiredFiles = new LinkedHashMap<Path, DesiredFile>();
    try {
      for (var section : sections.entrySet()) {
        var dest = pattern.named(section.getKey());
        if (dest.isEmpty()) {
          throw new Run.Failed(
              "the section name `%s` does not fit into %s"
                  .formatted(section.getKey(), pattern.glob()));
        }
        var desired = desired(dest.get(), Text.bytes(section.getValue()), mode);
        desiredFiles.put(dest.get().path(), desired);
      }
      var obsolete = new ArrayList<Path>();
      pattern.find().keySet().stream()
          .filter(path -> !desiredFiles.containsKey(path))
          .forEach(obsolete::add);
      var changes = desiredFiles.values().stream().filter(desired -> !desired.granted()).toList();
      announce(changes.stream().map(DesiredFile::real).toList(), pattern, obsolete);
      for (var desired : desiredFiles.values()) {
        grant(desired);
      }
      log.line("  " + desiredFiles.size() + " sections, " + changes.size() + " files written");
      remove(pattern, obsolete);
    } catch (IOException e) {
      throw new Run.Failed("cannot write the sections: " + e);
    }
  }

  /** Removes the matching files whose captured text is not in this list. */
  void clean(FilePattern pattern, Set<String> keep) throws Run.Failed {
    var obsolete = new ArrayList<Path>();
    pattern
        .find()
        .forEach(
            (path, captured) -> {
              if (!keep.contains(captured)) {
                obsolete.add(path);
              }
            });
    try {
      announce(List.of(), pattern, obsolete);
      remove(pattern, obsolete);
    } catch (IOException e) {
      throw new Run.Failed("cannot remove files that are not on the list: " + e);
    }
  }

  private void announce(List<Path> written, FilePattern pattern, List<Path> removed)
      throws IOException, Run.Failed {
    var all = new ArrayList<>(written);
    for (var path : removed) {
      var real = Destination.below(pattern.bound(), path).real();
      if (FileState.of(real) instanceof FileState.Other other) {
        throw new Run.Failed(path + " is " + other.what() + ", which is not removed");
      }
      all.add(real);
    }
    transaction.announce(all);
  }

  private void remove(FilePattern pattern, List<Path> paths) throws IOException, Run.Failed {
    for (var path : paths) {
      var real = Destination.below(pattern.bound(), path).real();
      transaction.remove(real);
      kept.remove(path.toString());
      keptInFact.remove(real);
      log.line("  removed " + path);
    }
  }

  /** Keeps files that a command wrote before and that it does not write in this run. */
  void retain(Predicate<Path> claim) {
    retained.add(claim);
  }

  /** Removes the files that the role wrote before and that no command kept. */
  void removeObsolete() throws Run.Failed {
    removeObsolete(path -> true);
  }

  /** Removes some of these files. */
  void removeObsolete(Predicate<Path> which) throws Run.Failed {
    for (var each : last.entrySet()) {
      var path = Path.of(each.getKey());
      if (kept.containsKey(each.getKey()) || !which.test(path)) {
        continue;
      }
      if (retained.stream().anyMatch(claim -> claim.test(path))) {
        keep(path, each.getValue());
      } else {
        remove(path, each.getValue());
      }
    }
  }

  /** The last recorded state, unless the disk differs. */
  private void keep(Path path, List<TemplateOutput.File> descriptions) throws Run.Failed {
    try {
      var found = descriptions.get(descriptions.size() - 1);
      if (FileState.of(path) instanceof FileState.Regular now) {
        found = descriptions.stream().filter(now::isAs).reduce((a, b) -> b).orElse(found);
      }
      kept.put(path.toString(), found);
      keptInFact.add(path);
    } catch (IOException e) {
      throw new Run.Failed("cannot look at " + path + ": " + e);
    }
  }

  /** Removes a file that this role wrote, unless it was changed since. */
  private void remove(Path path, List<TemplateOutput.File> ours) throws Run.Failed {
    try {
      var real = Destination.reached(path);
      var there = FileState.of(real);
      if (keptInFact.contains(real) || there instanceof FileState.Absent) {
        log.aside(path + ": is gone already");
      } else if (there instanceof FileState.Regular now && isOneOf(now.described(path), ours)) {
        transaction.announce(List.of(real));
        transaction.remove(real);
        log.aside(path + ": removed, no longer produced");
      } else {
        log.aside(path + ": no longer produced, but kept: it was changed since");
      }
    } catch (IOException e) {
      throw new Run.Failed("cannot remove " + path + ": " + e);
    }
  }

  private static boolean isOneOf(TemplateOutput.File now, List<TemplateOutput.File> ours) {
    return ours.stream().anyMatch(file -> file.sha256().equals(now.sha256()));
  }
}
