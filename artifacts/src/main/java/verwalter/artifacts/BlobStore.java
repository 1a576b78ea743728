package verwalter.artifacts;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Archives, each a read-only file whose name is the SHA-256 of its bytes. A directory holds:
 *
 * <pre>
 * HEX            a complete archive
 * .part-NAME     the first bytes of a download
 * .from-NAME     the validator of the response that they came from
 * </pre>
 *
 * <p>An archive gets its name after its bytes were compared with the digest and survive a crash of
 * the machine. What an interrupted download has received is kept, and the next attempt continues;
 * without a known digest only until the machine starts anew.
 *
 * <p>Thread-safe; calls for the same digest wait for each other, so it is downloaded once. One
 * object at a time uses a directory.
 */
public final class BlobStore {
  private static final String HEX = "[0-9a-f]{64}";

  private final Path directory;
  private final String boot;
  private final ArtifactDisk disk;
  private final ArchiveFetch.Parts parts;
  private final KeyedLocks locks = new KeyedLocks();

  /**
   * The surroundings of downloads.
   *
   * @param limits of each download
   * @param bandwidth that all downloads share
   * @param proxies for downloads
   * @param trust certificates to trust; if empty, those that the JVM trusts
   * @param others machines that may have an archive
   * @param space says how much space the disk has
   * @param ticks the time that passes
   * @param executor for the HTTP client; its tasks do not block
   * @param boot a text that differs after each start of the machine
   */
  public record Surroundings(
      FetchLimits limits,
      Bandwidth bandwidth,
      ProxyTable proxies,
      Optional<SSLContext> trust,
      Others others,
      FreeSpace space,
      Ticks ticks,
      Executor executor,
      String boot) {}

  /**
   * Other machines.
   *
   * @param tls of connections to them; if empty, that of the JVM
   */
  public record Others(ArchivePeers peers, PeerLimits limits, Optional<SSLContext> tls) {
    /** No other machines. */
    public static final Others NONE =
        new Others(ArchivePeers.NONE, PeerLimits.DEFAULT, Optional.empty());
  }

  /**
   * @param directory absolute path; it is created if it does not exist, and holds nothing else
   */
  public BlobStore(Path directory, Surroundings around) {
    this(directory, around, DiskSteps.NONE);
  }

  BlobStore(Path directory, Surroundings around, DiskSteps steps) {
    this.directory = directory;
    this.boot = around.boot();
    this.disk = new ArtifactDisk(steps);
    this.parts = ArchiveFetch.Parts.of(directory, around, disk);
  }

  /** A part of a call that uses the disk. */
  @FunctionalInterface
  private interface Work<V> {
    V run() throws IOException, ArtifactException;
  }

  private static <V> V guarded(String action, Object place, Work<V> work) throws ArtifactException {
    try {
      return work.run();
    } catch (ClosedByInterruptException interrupted) {
      throw Cancellation.exception(action, place);
    } catch (IOException failed) {
      throw ArtifactException.of(failed, action, place);
    }
  }

  /**
   * Fetches an archive unless it is there. Makes one attempt; callers repeat it later.
   *
   * @throws ArtifactException if it cannot be fetched; with the reason DIGEST_MISMATCH if it has
   *     other bytes, which were deleted
   */
  public Blob fetch(WantedArchive wanted, WorkProgress progress, Cancellation cancellation)
      throws ArtifactException {
    var hold = locks.hold(wanted.partialName(), "download", cancellation);
    try {
      var known = wanted.digest();
      var present = known.isPresent() ? find(known.get()) : Optional.<Blob>empty();
      return present.isPresent()
          ? present.get()
          : guarded(
              "fetch",
              wanted.source(),
              () -> new ArchiveFetch(parts, wanted, progress, cancellation).run());
    } finally {
      hold.close();
    }
  }

  /** Deletes what a download has left that nobody will continue; a running one is waited for. */
  public void abandon(WantedArchive wanted, Cancellation cancellation) throws ArtifactException {
    var hold = locks.hold(wanted.partialName(), "abandon", cancellation);
    try {
      guarded(
          "abandon",
          wanted.source(),
          () -> {
            new PartialFile(disk, directory, wanted.partialName(), boot).delete();
            return wanted;
          });
    } finally {
      hold.close();
    }
  }

  /** Looks for a complete archive. */
  public Optional<Blob> find(Digest digest) throws ArtifactException {
    return guarded("look for", digest, () -> read(digest));
  }

  private Optional<Blob> read(Digest digest) throws IOException {
    var path = directory.resolve(digest.hex());
    try {
      return Optional.of(new Blob(digest, path, Files.size(path)));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    }
  }

  /** All complete archives. */
  public List<Blob> list() throws ArtifactException {
    return guarded(
        "list",
        directory,
        () -> {
          var all = new ArrayList<Blob>();
          for (var name : names()) {
            if (name.matches(HEX)) {
              read(new Digest(name)).ifPresent(all::add);
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
   * Reads an archive again.
   *
   * @return whether its bytes are still those of its digest
   * @throws ArtifactException with the reason NOT_FOUND if there is no such archive
   */
  public boolean verify(Digest digest, Cancellation cancellation) throws ArtifactException {
    return guarded(
        "verify",
        digest,
        () -> {
          var sha256 = Sha256.start();
          Sha256.add(
              sha256, directory.resolve(digest.hex()), n -> cancellation.check("verify", digest));
          return digest.equals(Digest.of(sha256.digest()));
        });
  }

  /** Removes an archive; none is no error. */
  public void remove(Digest digest, Cancellation cancellation) throws ArtifactException {
    var hold = locks.hold(digest.hex(), "remove", cancellation);
    try {
      guarded(
          "remove",
          digest,
          () -> {
            disk.delete(directory.resolve(digest.hex()));
            return digest;
          });
    } finally {
      hold.close();
    }
  }

  /** Notes that an archive is needed at this time; its age begins anew. */
  public void touch(Digest digest, Instant now) throws ArtifactException {
    var path = directory.resolve(digest.hex());
    guarded(
        "touch",
        digest,
        () -> {
          if (Files.exists(path)) {
            disk.modified(path, FileTime.from(now));
          }
          return digest;
        });
  }

  /** When an archive was downloaded or last named. */
  Instant lastNamed(Blob blob) throws ArtifactException {
    return guarded(
        "look for", blob.digest(), () -> Files.getLastModifiedTime(blob.path()).toInstant());
  }

  /** Whether a call changes the archive at present. */
  boolean isBusy(Digest digest) {
    return locks.isHeld(digest.hex());
  }

  /**
   * Removes partial downloads that are not named. Is called before other calls, when no thread uses
   * the directory.
   *
   * @param named downloads that will be continued
   * @return the names of what was removed
   */
  public List<String> recover(Collection<WantedArchive> named) throws ArtifactException {
    var kept = named.stream().map(WantedArchive::partialName).collect(Collectors.toSet());
    return guarded(
        "clean up",
        directory,
        () -> {
          var removed = new ArrayList<String>();
          for (var name : names()) {
            var path = directory.resolve(name);
            if (!name.startsWith(".")
                || kept.contains(partialName(name))
                || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
              continue;
            }
            disk.delete(path);
            removed.add(name);
          }
          return List.copyOf(removed);
        });
  }

  private static String partialName(String file) {
    return file.startsWith(PartialFile.DATA) || file.startsWith(PartialFile.VALIDATOR)
        ? file.substring(PartialFile.DATA.length())
        : "";
  }
}
