package verwalter.render.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.LocalDisk;
import verwalter.render.disk.Mode;
import verwalter.render.recipe.Rendered;

/**
 * The last releases of one role on this machine, on disk below the role's state directory, for this
 * user only. Each is one file, which is complete or absent after a crash at any moment.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>At most {@value #MOST} releases and at most {@value #MOST_BYTES} bytes are kept. The oldest
 *       are removed first, the newest never.
 *   <li>A release equal to the newest is not stored again.
 *   <li>A corrupt release counts as absent and does not affect others.
 * </ol>
 *
 * Use one instance at a time for each role, from one thread.
 */
public final class Releases {
  /** The maximum number of releases. */
  public static final int MOST = 10;

  /** The maximum size on disk, in bytes. */
  public static final long MOST_BYTES = 64L << 20;

  /** A release larger than this before compression is not stored. */
  private static final long LARGEST = 32L << 20;

  private static final String ENDING = ".release";

  private final Path directory;
  private final Disk disk;

  /**
   * @param state a directory for this role only
   */
  public Releases(Path state) {
    this(state, new LocalDisk());
  }

  Releases(Path state, Disk disk) {
    this.directory = LocalDisk.real(state).resolve("releases");
    this.disk = disk;
  }

  /** All releases, oldest first. */
  public List<TemplateOutput.Release> list() throws IOException {
    var all = new ArrayList<TemplateOutput.Release>();
    for (var file : files()) {
      whole(file).ifPresent(all::add);
    }
    return all;
  }

  /** The release of a deployment. */
  public Optional<Release> of(String deployment) throws IOException {
    return find(about -> about.deployment().equals(deployment));
  }

  /** The newest release with that digest. */
  public Optional<Release> like(String digest) throws IOException {
    return find(about -> about.digest().equals(digest));
  }

  /**
   * The newest release that is selected and not corrupt.
   *
   * @throws IOException if all that are selected are corrupt
   */
  private Optional<Release> find(Predicate<TemplateOutput.Release> wanted) throws IOException {
    IOException damaged = null;
    var files = files();
    for (int i = files.size() - 1; i >= 0; i--) {
      if (head(files.get(i)).filter(wanted).isPresent()) {
        try {
          return Optional.of(ReleaseFile.read(files.get(i), 4 * LARGEST));
        } catch (IOException e) {
          damaged = damaged == null ? e : damaged;
        }
      }
    }
    if (damaged != null) {
      throw damaged;
    }
    return Optional.empty();
  }

  /**
   * Stores the last application, and removes the oldest releases.
   *
   * @return why it could not be stored; empty on success
   */
  public Optional<String> keep(
      String deployment, Instant at, Rendered rendered, List<TemplateOutput.File> files)
      throws IOException {
    var present = files();
    var newest =
        present.isEmpty()
            ? Optional.<TemplateOutput.Release>empty()
            : whole(present.get(present.size() - 1));
    var digest = rendered.digest();
    if (newest.filter(about -> about.digest().equals(digest)).isPresent()) {
      return Optional.empty();
    }
    var states = new TreeMap<String, FileState.Regular>();
    long size = 0;
    for (var file : files) {
      size += file.size();
      if (size <= LARGEST && FileState.of(Path.of(file.path())) instanceof FileState.Regular now) {
        states.put(file.path(), now);
      }
    }
    for (var part : rendered.parts()) {
      size += part.files().values().stream().mapToLong(String::length).sum();
    }
    if (size > LARGEST) {
      return Optional.of("its %d bytes are more than the %d of a release".formatted(size, LARGEST));
    }
    var about = new TemplateOutput.Release(deployment, at, digest);
    write(next(present), ReleaseFile.write(new Release(about, rendered, states)));
    prune();
    return Optional.empty();
  }

  /** Not synced: a power cut may corrupt the newest release, which its hash detects. */
  private void write(Path file, byte[] bytes) throws IOException {
    disk.makeDirectory(directory);
    disk.delete(draft());
    disk.scratch(draft(), bytes, Mode.PRIVATE);
    disk.rename(draft(), file);
  }

  private Path draft() {
    return directory.resolve("draft");
  }

  /** A corrupt release does not take the place of another, and is removed in its turn. */
  private void prune() throws IOException {
    var files = files();
    long bytes = 0;
    int kept = 0;
    for (int i = files.size() - 1; i >= 0; i--) {
      var file = files.get(i);
      bytes += Files.size(file);
      if (kept > 0 && (kept >= MOST || bytes > MOST_BYTES)) {
        disk.delete(file);
      } else if (whole(file).isPresent()) {
        kept++;
      }
    }
  }

  /** Removes all of them when the role is removed. */
  public void clear() throws IOException {
    disk.delete(draft());
    for (var file : files()) {
      disk.delete(file);
    }
  }

  private Path next(List<Path> present) {
    int last = 0;
    for (var file : present) {
      last = Math.max(last, number(file));
    }
    return directory.resolve("%08d%s".formatted(last + 1, ENDING));
  }

  private static int number(Path file) {
    var name = String.valueOf(file.getFileName());
    return Integer.parseInt(name.substring(0, name.length() - ENDING.length()));
  }

  private static Optional<TemplateOutput.Release> head(Path file) {
    try {
      return Optional.of(ReleaseFile.head(file).about());
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static Optional<TemplateOutput.Release> whole(Path file) {
    try {
      return Optional.of(ReleaseFile.whole(file).about());
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  /** By number, oldest first. */
  private List<Path> files() throws IOException {
    var files = new ArrayList<Path>();
    if (Files.isDirectory(directory)) {
      try (var all = Files.newDirectoryStream(directory)) {
        for (var file : all) {
          if (String.valueOf(file.getFileName()).matches("\\d{8}\\" + ENDING)) {
            files.add(file);
          }
        }
      }
    }
    files.sort(null);
    return files;
  }
}
