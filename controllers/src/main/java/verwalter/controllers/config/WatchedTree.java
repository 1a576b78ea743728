package verwalter.controllers.config;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The watched directories and the interpretation of their events. Confined to the thread that waits
 * for events.
 *
 * <p>A directory is watched before it is listed, so an entry that appears in it is either listed or
 * reported. The nearest existing parent of the root is watched for the next name on the path, so
 * that a root that is created, replaced or created again is detected. Links to directories are
 * followed, since the tree may be stored elsewhere; a directory that was seen already is not
 * entered again.
 */
final class WatchedTree {
  private final Path root;
  private final WatchService service;
  private final int most;
  private final Map<WatchKey, Entry> watched = new HashMap<>();
  private final NavigableMap<String, WatchKey> keys = new TreeMap<>();
  private final Set<Path> entered = new HashSet<>();
  private @Nullable WatchKey parent;
  private @Nullable Path awaited;
  private Optional<String> problem = Optional.empty();

  /**
   * A watched directory: its path in the tree, its path with all links resolved, and its device and
   * inode.
   */
  private record Entry(Path path, Path real, Optional<Object> file) {
    /** A sort key that places a directory directly before everything below it. */
    String position() {
      return position(path);
    }

    static String position(Path path) {
      return path + "/";
    }
  }

  WatchedTree(Path root, WatchService service, int most) {
    this.root = root.toAbsolutePath().normalize();
    this.service = service;
    this.most = most;
  }

  /** Watches exactly the directories that exist now. */
  void watchAgain() {
    watched.keySet().forEach(WatchKey::cancel);
    watched.clear();
    keys.clear();
    entered.clear();
    problem = Optional.empty();
    watchParent();
    if (Files.isDirectory(root)) {
      watch(root);
    }
  }

  /** Why some changes cannot be detected, if that is so. */
  Optional<String> problem() {
    return problem;
  }

  /**
   * Whether another directory is at the place of a watched one: of the root, or of one directly in
   * it. The kernel does not report that a file system is mounted there.
   */
  boolean isCovered() {
    return watched.values().stream()
        .filter(it -> root.equals(it.path()) || root.equals(it.path().getParent()))
        .anyMatch(
            it -> {
              var now = file(it.path());
              return now.isPresent() && !now.equals(it.file());
            });
  }

  /** Whether this directory is watched; for tests. */
  boolean isWatching(Path directory) {
    return keys.containsKey(Entry.position(directory));
  }

  /** Converts the events of one key to parts. New directories are watched before this returns. */
  Set<ConfigPart> changes(WatchKey key) {
    var parts = new HashSet<ConfigPart>();
    var directory = watched.get(key);
    for (var event : key.pollEvents()) {
      if (event.kind() == OVERFLOW) {
        parts.add(ConfigPart.EVERYTHING);
      } else if (key.equals(parent)) {
        above((Path) event.context()).ifPresent(parts::add);
      } else if (directory != null) {
        inside(directory.path(), event).ifPresent(parts::add);
      }
    }
    if (!key.reset()) {
      gone(key).ifPresent(parts::add);
    }
    return parts;
  }

  /** Handles an event next to the root or next to one of its parents. */
  private Optional<ConfigPart> above(Path name) {
    return awaited != null && name.equals(awaited.getFileName())
        ? Optional.of(ConfigPart.EVERYTHING)
        : Optional.empty();
  }

  private Optional<ConfigPart> inside(Path directory, WatchEvent<?> event) {
    var name = event.context().toString();
    if (FileNames.isSkipped(name)) {
      return Optional.empty();
    }
    var path = directory.resolve(name);
    if (event.kind() != ENTRY_MODIFY) {
      forget(path);
    }
    if (event.kind() == ENTRY_CREATE && Files.isDirectory(path)) {
      watch(path);
    }
    return Optional.of(ConfigPart.at(root.relativize(path)));
  }

  private Optional<ConfigPart> gone(WatchKey key) {
    var directory = watched.get(key);
    drop(key);
    // A directory that exists was unmounted, or replaced before its parent's event is handled.
    return key.equals(parent)
            || (directory != null
                && (root.equals(directory.path()) || Files.isDirectory(directory.path())))
        ? Optional.of(ConfigPart.EVERYTHING)
        : Optional.empty();
  }

  private void drop(WatchKey key) {
    var directory = watched.remove(key);
    if (directory != null) {
      keys.remove(directory.position(), key);
      entered.remove(directory.real());
    }
  }

  /** Stops watching the directory at the path, which was deleted or moved. */
  private void forget(Path path) {
    var position = Entry.position(path);
    if (keys.containsKey(position)) {
      var below = keys.subMap(position, position + Character.MAX_VALUE);
      for (var key : List.copyOf(below.values())) {
        key.cancel();
        drop(key);
      }
    }
  }

  /**
   * Watches the nearest existing parent of the root. A directory on the path may be created between
   * the check and the start of the watch, which then reports nothing, so this checks again.
   */
  private void watchParent() {
    do {
      if (parent != null) {
        parent.cancel();
        parent = null;
      }
      awaited = root;
      var above = root.getParent();
      while (above != null && !Files.isDirectory(above)) {
        awaited = above;
        above = above.getParent();
      }
      parent = above == null ? null : register(above);
    } while (parent != null && !root.equals(awaited) && Files.isDirectory(awaited));
  }

  private void watch(Path top) {
    var todo = new ArrayDeque<Path>();
    todo.add(top);
    while (!todo.isEmpty()) {
      var directory = todo.remove();
      var real = real(directory);
      if (real.isEmpty() || entered.contains(real.get()) || isAbove(real.get())) {
        continue;
      }
      if (watched.size() >= most) {
        problem =
            Optional.of(
                root
                    + " has more than "
                    + most
                    + " directories; changes in the others are not detected");
        return;
      }
      var key = register(directory);
      if (key != null) {
        drop(key); // moved from elsewhere in the tree
        var entry = new Entry(directory, real.get(), file(directory));
        watched.put(key, entry);
        keys.put(entry.position(), key);
        entered.add(entry.real());
        list(directory, todo);
      }
    }
  }

  /** Whether the link points to a parent of the tree, which would lead back into the tree. */
  private boolean isAbove(Path real) {
    return real(root).filter(at -> !at.equals(real) && at.startsWith(real)).isPresent();
  }

  private void list(Path directory, ArrayDeque<Path> todo) {
    try (var entries = Files.newDirectoryStream(directory)) {
      for (var entry : entries) {
        if (!FileNames.isSkipped(String.valueOf(entry.getFileName())) && Files.isDirectory(entry)) {
          todo.add(entry);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The directory vanished, which an event of its parent reports, or it is not readable, which
      // the reader of its files reports.
    }
  }

  private @Nullable WatchKey register(Path directory) {
    try {
      return directory.register(service, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
    } catch (IOException e) {
      if (Files.isReadable(directory)) {
        problem = Optional.of("changes in " + directory + " are not detected: " + e.getMessage());
      }
      return null;
    }
  }

  private static Optional<Object> file(Path directory) {
    try {
      return Optional.ofNullable(
          Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static Optional<Path> real(Path directory) {
    try {
      return Optional.of(directory.toRealPath());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
