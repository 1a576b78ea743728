package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Mode;

/**
 * The file changes of one run, all or none. Costs nothing before the first change. Used by one
 * thread, once.
 */
final class Transaction {
  private final Switch files;
  private final RoleJournal journal;
  private final SortedSet<Path> paths;
  private final SortedSet<Path> touched = new TreeSet<>();
  private boolean begun;

  /**
   * @param paths the paths that may be written or removed, as far as they are known
   */
  Transaction(Switch files, RoleJournal journal, SortedSet<Path> paths) {
    this.files = files;
    this.journal = journal;
    this.paths = new TreeSet<>(paths);
  }

  boolean changed() {
    return begun;
  }

  /** Adds paths that may be written or removed. */
  void announce(Collection<Path> more) throws IOException {
    var added = new TreeSet<>(more);
    added.removeAll(paths);
    if (begun && !added.isEmpty()) {
      journal.announce(added);
    }
    paths.addAll(added);
  }

  void write(Path path, byte[] content, Mode mode) throws IOException {
    begin(path);
    files.write(path, content, mode);
  }

  void remove(Path path) throws IOException {
    begin(path);
    files.remove(path);
  }

  private void begin(Path path) throws IOException {
    if (!paths.contains(path)) {
      throw new IllegalStateException(path + " was not announced");
    }
    if (!begun) {
      journal.announce(paths);
      begun = true;
    }
    touched.add(path);
  }

  /**
   * Makes the changes durable.
   *
   * @param written all files of the role
   */
  void commit(List<TemplateOutput.File> written) throws IOException {
    if (begun) {
      journal.commit(touched, written);
    } else {
      journal.store(written);
    }
  }

  /** Restores all files; returns the paths that differed. */
  List<String> rollback() throws IOException {
    return journal.isOpen() ? journal.recover() : List.of();
  }
}
