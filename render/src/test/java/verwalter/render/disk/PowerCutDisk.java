package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The real disk of a machine that stops before a step and then loses data that was not synced: the
 * names in a directory, or the contents of files.
 */
public final class PowerCutDisk implements Disk {
  private final Disk disk = new LocalDisk();
  private final Loss loss;
  private final Map<Path, Entry> now = new HashMap<>();
  private final Map<Path, Entry> synced = new HashMap<>();
  private Set<Path> last = Set.of();
  private int left;

  /** The kind of unsynced data that a power cut loses. */
  public enum Loss {
    /** The names in a directory are those of its last sync. */
    NAMES,
    /** The same, but the last change of a name lasts: a disk may write changes in any order. */
    EARLIER_NAMES,
    /** The names survive, but a file that was never synced is empty. */
    CONTENTS
  }

  /** The target of a name. */
  private static final class Entry {
    private FileState state;
    private boolean lasting;

    Entry(FileState state, boolean lasting) {
      this.state = state;
      this.lasting = lasting;
    }
  }

  /**
   * @param after the number of steps before the machine stops
   */
  public PowerCutDisk(Loss loss, int after) {
    this.loss = loss;
    this.left = after;
  }

  /** Whether the machine has stopped. */
  public boolean stopped() {
    return left < 0;
  }

  private void step(Path... paths) throws IOException {
    if (left-- <= 0) {
      left = -1;
      throw new BreakingDisk.Stopped();
    }
    if (paths.length > 0) {
      last = Set.of(paths);
    }
    for (var path : paths) {
      if (!now.containsKey(path)) {
        var entry = new Entry(FileState.of(path), true);
        now.put(path, entry);
        synced.put(path, entry);
      }
    }
  }

  /** The disk after the machine has started again. */
  public static Disk ofNextBoot() {
    return new StepDisk() {
      @Override
      protected void before() {}

      @Override
      public String boot() {
        return "the next boot";
      }
    };
  }

  /** Leaves on the real disk the state after a power cut. */
  public void cutPower() throws IOException {
    for (var path : now.keySet()) {
      Files.deleteIfExists(path);
      var entry = Optional.ofNullable((lasts(path) ? now : synced).get(path)).orElseThrow();
      if (entry.state instanceof FileState.Regular file) {
        disk.create(path, entry.lasting ? file.content() : new byte[0], file.mode());
      } else if (entry.state instanceof FileState.Link link) {
        disk.link(path, link.target());
      }
    }
  }

  private boolean lasts(Path path) {
    return loss == Loss.CONTENTS || (loss == Loss.EARLIER_NAMES && last.contains(path));
  }

  @Override
  public void within(Path directory, Work work) throws IOException {
    disk.within(directory, work);
  }

  @Override
  public void create(Path file, byte[] content, Mode mode) throws IOException {
    step(file);
    disk.create(file, content, mode);
    now.put(file, new Entry(FileState.of(file), true));
  }

  @Override
  public void scratch(Path file, byte[] content, Mode mode) throws IOException {
    step(file);
    disk.scratch(file, content, mode);
    now.put(file, new Entry(FileState.of(file), false));
  }

  @Override
  public void overwrite(Path file, long from, byte[] content) throws IOException {
    step(file);
    boolean fresh = FileState.of(file) instanceof FileState.Absent;
    disk.overwrite(file, from, content);
    if (fresh) {
      now.put(file, new Entry(FileState.of(file), true));
    } else {
      Optional.ofNullable(now.get(file)).orElseThrow().state = FileState.of(file);
    }
  }

  @Override
  public String boot() {
    return disk.boot();
  }

  @Override
  public void link(Path link, Path target) throws IOException {
    step(link);
    disk.link(link, target);
    now.put(link, new Entry(new FileState.Link(target), true));
  }

  @Override
  public void chown(Path file, Owner owner, Mode mode) throws IOException {
    step(file);
    disk.chown(file, owner, mode);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step(from, to);
    disk.rename(from, to);
    var moved = now.put(from, new Entry(new FileState.Absent(), true));
    now.put(to, Optional.ofNullable(moved).orElseThrow());
  }

  @Override
  public void delete(Path file) throws IOException {
    step(file);
    disk.delete(file);
    now.put(file, new Entry(new FileState.Absent(), true));
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    step();
    disk.makeDirectory(directory);
  }

  @Override
  public void sync(Path path) throws IOException {
    step();
    disk.sync(path);
    if (now.containsKey(path)) {
      now.get(path).lasting = true;
    }
    now.forEach(
        (each, entry) -> {
          if (path.equals(each.getParent())) {
            synced.put(each, entry);
          }
        });
  }
}
