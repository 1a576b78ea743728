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
 * Which directories are watched, and what their events mean. Confined to the thread that waits for
 * events.
 *
 * <p>A directory is watched before it is listed, so what appears in it is listed or reported. Above
 * the root its nearest existing parent is watched for the next name on the way down: that is how a
 * root that is made, replaced or made again is noticed. Links to directories are followed, for the
 * tree may be kept elsewhere; one that was seen already is not entered again.
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

  /** A watched directory: where the tree has it, and where it is when all links are followed. */
  private record Entry(Path path, Path real) {
    /** Sorts a directory right before everything below it. */
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

  /** Watches everything that is there now, and nothing else any longer. */
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

  /** Why changes may go unnoticed, if they may. */
  Optional<String> problem() {
    return problem;
  }

  /** Whether the events of this directory are heard; for tests. */
  boolean isWatching(Path directory) {
    return keys.containsKey(Entry.position(directory));
  }

  /** What the events of one key say; directories that are new are watched before this returns. */
  ConfigChange changes(WatchKey key) {
    var change = ConfigChange.NOTHING;
    var directory = watched.get(key);
    for (var event : key.pollEvents()) {
      if (event.kind() == OVERFLOW) {
        change = change.and(ConfigChange.EVERYTHING);
      } else if (key.equals(parent)) {
        change = change.and(above((Path) event.context()));
      } else if (directory != null) {
        change = change.and(inside(directory.path(), event));
      }
    }
    if (!key.reset()) {
      change = change.and(gone(key));
    }
    return change;
  }

  /** An event beside the root or beside one of its parents. */
  private ConfigChange above(Path name) {
    return awaited != null && name.equals(awaited.getFileName())
        ? ConfigChange.EVERYTHING
        : ConfigChange.NOTHING;
  }

  private ConfigChange inside(Path directory, WatchEvent<?> event) {
    var name = event.context().toString();
    if (FileNames.isSkipped(name)) {
      return ConfigChange.NOTHING;
    }
    var path = directory.resolve(name);
    if (event.kind() != ENTRY_MODIFY) {
      forget(path);
    }
    if (event.kind() == ENTRY_CREATE && Files.isDirectory(path)) {
      watch(path);
    }
    return ConfigChange.of(root.relativize(path).getName(0).toString());
  }

  private ConfigChange gone(WatchKey key) {
    var directory = watched.get(key);
    drop(key);
    return key.equals(parent) || (directory != null && root.equals(directory.path()))
        ? ConfigChange.EVERYTHING
        : ConfigChange.NOTHING;
  }

  private void drop(WatchKey key) {
    var directory = watched.remove(key);
    if (directory != null) {
      keys.remove(directory.position(), key);
      entered.remove(directory.real());
    }
  }

  /** Stops watching what was at the path: it is deleted, or it is somewhere else now. */
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
   * Watches the nearest parent of the root that exists. A directory on the way down may be made
   * after the look at it and before the watch, which then reports nothing: so this looks again.
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
                    + " directories; changes in the others go unnoticed");
        return;
      }
      var key = register(directory);
      if (key != null) {
        drop(key); // moved here from elsewhere in the tree
        var entry = new Entry(directory, real.get());
        watched.put(key, entry);
        keys.put(entry.position(), key);
        entered.add(entry.real());
        list(directory, todo);
      }
    }
  }

  /** A link upwards leads out of the tree and back into it. */
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
      // It is gone again, which the directory above tells; or it must not be read, which whoever
      // reads it tells.
    }
  }

  private @Nullable WatchKey register(Path directory) {
    try {
      return directory.register(service, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
    } catch (IOException e) {
      if (Files.isReadable(directory)) {
        problem = Optional.of("changes in " + directory + " go unnoticed: " + e.getMessage());
      }
      return null;
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
