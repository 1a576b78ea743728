package verwalter.controllers.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the directories of written files with the file events of the operating system. One thread
 * waits for events; fields are guarded by this.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>At most {@value #MOST_DIRECTORIES} directories are watched; the log contains a warning when
 *       there are more. Files in the others are checked only together with their role.
 *   <li>When a directory is removed, or events were lost, the owners of all files in it are
 *       reported.
 * </ol>
 */
public final class DirectoryWatch implements FileWatch.Watching {
  /** The limit of watched directories, below the kernel's own limit. */
  static final int MOST_DIRECTORIES = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);

  private final WatchService service;
  private final Executor executor;
  private final Consumer<String> changed;
  private final int most;

  /** Watched directories by the parents of files; several paths may lead to one directory. */
  private final Map<Path, Directory> directories = new HashMap<>();

  private final Map<WatchKey, Directory> keys = new HashMap<>();
  private final Map<String, Set<Path>> files = new HashMap<>();
  private boolean complained;
  private volatile boolean closed;

  /** A file, by the path that its owner uses. */
  private record Owned(String owner, Path file) {}

  /** A watched directory: the files in it by name. */
  private record Directory(WatchKey key, Map<String, Set<Owned>> files) {
    boolean hasFileIn(Path parent) {
      return files.values().stream()
          .flatMap(Set::stream)
          .anyMatch(it -> parent.equals(it.file().getParent()));
    }
  }

  private DirectoryWatch(
      WatchService service, Executor executor, Consumer<String> changed, int most) {
    this.service = service;
    this.executor = executor;
    this.changed = changed;
    this.most = most;
  }

  /**
   * Creates watches of a file system. Watches nothing if the operating system's limit is reached.
   *
   * @param threads makes the one thread that waits for the operating system
   */
  public static FileWatch of(FileSystem system, ThreadFactory threads) {
    return (executor, changed) -> start(system, threads, executor, changed, MOST_DIRECTORIES);
  }

  static FileWatch.Watching start(
      FileSystem system,
      ThreadFactory threads,
      Executor executor,
      Consumer<String> changed,
      int most) {
    try {
      var watch = new DirectoryWatch(system.newWatchService(), executor, changed, most);
      var thread = threads.newThread(watch::follow);
      thread.setDaemon(true);
      thread.start();
      return watch;
    } catch (IOException e) {
      LOG.warn("changes of written files are not detected at once: {}", e.toString());
      return FileWatch.NONE.start(executor, changed);
    }
  }

  @Override
  public synchronized boolean watch(String owner, List<String> wanted) {
    if (closed) {
      return false;
    }
    var paths = new HashSet<Path>();
    wanted.forEach(file -> paths.add(Path.of(file)));
    var before = files.getOrDefault(owner, Set.of());
    for (var path : before) {
      if (!paths.contains(path)) {
        forget(owner, path);
      }
    }
    boolean more = false;
    var watched = new HashSet<Path>();
    for (var path : paths) {
      if (before.contains(path) || add(owner, path)) {
        more |= !before.contains(path);
        watched.add(path);
      }
    }
    if (watched.isEmpty()) {
      files.remove(owner);
    } else {
      files.put(owner, watched);
    }
    return more;
  }

  private boolean add(String owner, Path path) {
    var parent = path.getParent();
    var name = path.getFileName();
    if (parent == null || name == null) {
      return false;
    }
    var directory = directories.get(parent);
    if (directory == null) {
      if (keys.size() >= most) {
        warn("more than %d directories hold files of roles".formatted(most));
        return false;
      }
      try {
        var key =
            parent.register(
                service,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE);
        directory = keys.computeIfAbsent(key, it -> new Directory(it, new HashMap<>()));
        directories.put(parent, directory);
      } catch (IOException e) {
        warn(e.toString());
        return false;
      }
    }
    directory
        .files()
        .computeIfAbsent(name.toString(), any -> new HashSet<>())
        .add(new Owned(owner, path));
    return true;
  }

  private void warn(String problem) {
    if (!complained) {
      complained = true;
      LOG.warn("changes of some written files are not detected at once: {}", problem);
    }
  }

  private void forget(String owner, Path path) {
    var parent = path.getParent();
    var directory = parent == null ? null : directories.get(parent);
    if (parent == null || directory == null) {
      return;
    }
    var name = String.valueOf(path.getFileName());
    var owned = directory.files().getOrDefault(name, new HashSet<>());
    owned.remove(new Owned(owner, path));
    if (owned.isEmpty()) {
      directory.files().remove(name);
    }
    if (!directory.hasFileIn(parent)) {
      directories.remove(parent);
    }
    if (directory.files().isEmpty()) {
      directory.key().cancel();
      keys.remove(directory.key());
    }
  }

  /** The thread's main loop. */
  private void follow() {
    try {
      while (!closed) {
        report(take(service.take()));
      }
    } catch (ClosedWatchServiceException | InterruptedException end) {
      // closed, or the process ends
    }
  }

  private void report(Set<String> owners) {
    if (!owners.isEmpty()) {
      executor.execute(
          () -> {
            if (!closed) {
              owners.forEach(changed);
            }
          });
    }
  }

  /** Returns the owners of the files that a key has events for. */
  private synchronized Set<String> take(WatchKey key) {
    var events = key.pollEvents();
    boolean valid = key.reset();
    var directory = keys.get(key);
    if (directory == null) {
      return Set.of();
    }
    var found = new HashSet<Owned>();
    for (var event : events) {
      if (event.context() instanceof Path name) {
        found.addAll(directory.files().getOrDefault(name.toString(), Set.of()));
      } else {
        directory.files().values().forEach(found::addAll);
      }
    }
    if (!valid) {
      directory.files().values().forEach(found::addAll);
      keys.remove(key);
      directories.values().removeIf(it -> it.key().equals(key));
      directory.files().values().forEach(all -> all.forEach(it -> drop(it.owner(), it.file())));
    }
    return found.stream().map(Owned::owner).collect(Collectors.toSet());
  }

  /** Forgets that the path is watched, so that the owner's next call watches it again. */
  private void drop(String owner, Path path) {
    var watched = files.get(owner);
    if (watched != null) {
      watched.remove(path);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
