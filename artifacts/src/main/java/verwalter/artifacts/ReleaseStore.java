package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * Directories with the files of unpacked archives. A directory holds one for each key:
 *
 * <pre>
 * NAME/manifest       list of all files with their digests
 * NAME/files/         what {@link UnpackedRelease#path} returns
 * .creating-NAME      a release is being created, or its creation was interrupted by a crash
 * .new-NAME/          the files of that release
 * .trash-NAME/        a release that is being deleted
 * </pre>
 *
 * <p>A release is complete if NAME has a whole manifest and there is no .creating-NAME. Everything
 * that belongs to a release survives a crash of the machine before NAME exists.
 *
 * <p>Thread-safe; calls for the same key wait for each other. One object at a time uses a
 * directory.
 */
public final class ReleaseStore {
  /** Differences after which {@link #verify} ends. */
  public static final int MOST_DIFFERENCES = 1000;

  private static final String MARKER = ".creating-";
  private static final String NEW = ".new-";
  private static final String TRASH = ".trash-";
  private static final String MANIFEST = "manifest";
  private static final String FILES = "files";

  private final Path directory;
  private final UnpackLimits limits;
  private final FreeSpace space;
  private final Executor syncing;
  private final ArtifactDisk disk;
  private final KeyedLocks locks = new KeyedLocks();

  /**
   * @param directory absolute path; it is created if it does not exist, and holds nothing else
   * @param limits of archives
   * @param space says how much space the disk has
   * @param syncing forces files to the disk, several at once if possible
   */
  public ReleaseStore(Path directory, UnpackLimits limits, FreeSpace space, Executor syncing) {
    this(directory, limits, space, syncing, DiskSteps.NONE);
  }

  ReleaseStore(
      Path directory, UnpackLimits limits, FreeSpace space, Executor syncing, DiskSteps steps) {
    this.directory = directory;
    this.limits = limits;
    this.space = space;
    this.syncing = syncing;
    this.disk = new ArtifactDisk(steps);
  }

  /** A part of a call that changes the disk. */
  @FunctionalInterface
  private interface Work<V> {
    V run() throws IOException, ArtifactException;
  }

  private <V> V guarded(String action, String key, Work<V> work) throws ArtifactException {
    try {
      return work.run();
    } catch (java.nio.channels.ClosedByInterruptException interrupted) {
      throw Cancellation.exception(action, key);
    } catch (IOException failed) {
      throw ArtifactException.of(failed, action, key);
    }
  }

  /**
   * Unpacks an archive. Returns the existing release if there is one with this key.
   *
   * @param key any text; another key for each release
   * @throws ArtifactException if it cannot be unpacked, and then nothing of it is left; with the
   *     reason BAD_KEY if the key has a release of another archive
   */
  public UnpackedRelease create(
      String key, Blob blob, WorkProgress progress, Cancellation cancellation)
      throws ArtifactException {
    var name = ReleaseName.of(key);
    var hold = locks.hold(name, "unpack", cancellation);
    try {
      var existing = find(key);
      if (existing.isPresent()) {
        if (!existing.get().blob().equals(blob.digest())) {
          throw new ArtifactException(
              Reason.BAD_KEY,
              "unpack",
              blob.digest(),
              "the release %s holds %s; remove it first".formatted(key, existing.get().blob()));
        }
        return existing.get();
      }
      return guarded("unpack", key, () -> created(key, name, blob, progress, cancellation));
    } finally {
      hold.close();
    }
  }

  private UnpackedRelease created(
      String key, String name, Blob blob, WorkProgress progress, Cancellation cancellation)
      throws IOException, ArtifactException {
    disk.makeDirectories(directory);
    wipe(name);
    var marker = directory.resolve(MARKER + name);
    disk.replace(marker, key + "\n");
    try {
      unpack(key, name, blob, progress, cancellation);
    } catch (IOException | ArtifactException | RuntimeException failed) {
      wipeAfter(failed, name);
      throw failed;
    }
    disk.delete(marker);
    disk.sync(directory);
    return find(key)
        .orElseThrow(() -> new IOException("the release was deleted while it was unpacked"));
  }

  private void unpack(
      String key, String name, Blob blob, WorkProgress progress, Cancellation cancellation)
      throws IOException, ArtifactException {
    var fresh = directory.resolve(NEW + name);
    disk.makeDirectory(fresh);
    var files = fresh.resolve(FILES);
    var manifest = fresh.resolve(MANIFEST);
    try (var syncs = new FileSyncs(disk, syncing)) {
      try (var lines = new TreeManifest.Writer(disk, manifest, key, blob.digest())) {
        new Unpacking(disk, limits, space, blob, files, lines, syncs, progress, cancellation).run();
        lines.finish();
      }
      syncs.await();
    }
    cancellation.check("unpack", files);
    disk.sync(files);
    disk.sync(fresh);
    disk.rename(fresh, directory.resolve(name));
    disk.sync(directory);
  }

  private void wipeAfter(Exception failed, String name) {
    try {
      wipe(name);
    } catch (IOException | RuntimeException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  /** Removes everything that has this name, the marker last. */
  private void wipe(String name) throws IOException {
    discard(name);
    disk.deleteTree(directory.resolve(NEW + name));
    var marker = directory.resolve(MARKER + name);
    if (Files.exists(marker, LinkOption.NOFOLLOW_LINKS)) {
      disk.sync(directory);
      disk.delete(marker);
      disk.sync(directory);
    }
  }

  /** Renames the release, if there is one, so that it is gone at once, and deletes it then. */
  private void discard(String name) throws IOException {
    var trash = directory.resolve(TRASH + name);
    disk.deleteTree(trash);
    var release = directory.resolve(name);
    if (Files.exists(release, LinkOption.NOFOLLOW_LINKS)) {
      try {
        disk.rename(release, trash);
      } catch (FileAlreadyExistsException raced) {
        throw new IOException(trash + " was created meanwhile", raced);
      }
      disk.sync(directory);
      disk.deleteTree(trash);
    }
  }

  /**
   * Looks for a complete release.
   *
   * @return empty if there is none, or only a part of one
   * @throws ArtifactException if the disk does not say
   */
  public Optional<UnpackedRelease> find(String key) throws ArtifactException {
    var name = ReleaseName.of(key);
    return guarded("look for", key, () -> read(name)).filter(it -> it.key().equals(key));
  }

  private Optional<UnpackedRelease> read(String name) throws IOException {
    if (Files.exists(directory.resolve(MARKER + name), LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    var manifest = directory.resolve(name).resolve(MANIFEST);
    try {
      var summary = TreeManifest.summary(manifest);
      if (summary.isEmpty()) {
        return Optional.empty();
      }
      var time = Files.getLastModifiedTime(manifest).toInstant();
      var it = summary.get();
      var files = directory.resolve(name).resolve(FILES);
      return Optional.of(
          new UnpackedRelease(it.key(), files, it.blob(), it.entries(), it.bytes(), time));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    }
  }

  /** All complete releases. */
  public List<UnpackedRelease> list() throws ArtifactException {
    return guarded(
        "list",
        directory.toString(),
        () -> {
          var all = new ArrayList<UnpackedRelease>();
          for (var name : names()) {
            if (!name.startsWith(".")) {
              read(name).ifPresent(all::add);
            }
          }
          return List.copyOf(all);
        });
  }

  private List<String> names() throws IOException {
    var names = new ArrayList<String>();
    try (var entries = Files.newDirectoryStream(directory)) {
      entries.forEach(it -> names.add(String.valueOf(it.getFileName())));
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  /**
   * Removes what a crash has left: parts of releases, and rests of deleted ones. Is called before
   * other calls, when no thread uses the directory.
   *
   * @return the names of what was removed
   */
  public List<String> recover() throws ArtifactException {
    return guarded(
        "clean up",
        directory.toString(),
        () -> {
          var removed = new ArrayList<String>();
          for (var name : names()) {
            if (name.startsWith(MARKER)) {
              wipe(name.substring(MARKER.length()));
              removed.add(name);
            } else if (name.startsWith(".")) {
              disk.deleteTree(directory.resolve(name));
              removed.add(name);
            }
          }
          return List.copyOf(removed);
        });
  }

  /**
   * Compares every file of a release with its manifest.
   *
   * @return what differs, at most {@link #MOST_DIFFERENCES}; empty if nothing does
   * @throws ArtifactException with the reason NOT_FOUND if there is no complete release
   */
  public List<TreeDifference> verify(String key, WorkProgress progress, Cancellation cancellation)
      throws ArtifactException {
    var release =
        find(key)
            .orElseThrow(
                () ->
                    new ArtifactException(
                        Reason.NOT_FOUND, "verify", key, "there is no such release"));
    var summary = new TreeManifest.Summary(key, release.blob(), release.entries(), release.bytes());
    var manifest = release.path().resolveSibling(MANIFEST);
    return guarded(
        "verify",
        key,
        () ->
            new TreeCheck(release.path(), summary, MOST_DIFFERENCES, progress, cancellation)
                .run(manifest));
  }

  /**
   * Removes a release, or what there is of it; none is no error. After a crash it is there as a
   * whole or not at all. No process may use it any longer.
   */
  public void remove(String key, Cancellation cancellation) throws ArtifactException {
    var name = ReleaseName.of(key);
    var hold = locks.hold(name, "remove", cancellation);
    try {
      guarded(
          "remove",
          key,
          () -> {
            wipe(name);
            return key;
          });
    } finally {
      hold.close();
    }
  }

  /** Notes that a release is needed at this time; its age begins anew. */
  public void touch(String key, Instant now) throws ArtifactException {
    var manifest = directory.resolve(ReleaseName.of(key)).resolve(MANIFEST);
    guarded(
        "touch",
        key,
        () -> {
          if (Files.exists(manifest)) {
            disk.modified(manifest, FileTime.from(now));
          }
          return key;
        });
  }

  /** Whether a call changes the release at present. */
  boolean isBusy(String key) throws ArtifactException {
    return locks.isHeld(ReleaseName.of(key));
  }
}
