package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import verwalter.render.disk.Mode;

/**
 * The file changes of one run, all or none. Costs nothing before the first change. Used by one
 * thread, once.
 */
final class Transaction {
  private final Switch files;
  private final Undo undo;
  private final SortedSet<Path> paths;
  private boolean begun;

  /**
   * @param paths the paths that may be written or removed, as far as they are known
   */
  Transaction(Switch files, Undo undo, SortedSet<Path> paths) {
    this.files = files;
    this.undo = undo;
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
      undo.extend(added);
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
      undo.begin(paths);
      begun = true;
    }
  }

  void commit() throws IOException {
    if (begun) {
      undo.commit();
    }
  }

  /** Restores all files; returns the paths that differed. */
  List<String> rollback() throws IOException {
    return undo.isPending() ? undo.rollback() : List.of();
  }
}
