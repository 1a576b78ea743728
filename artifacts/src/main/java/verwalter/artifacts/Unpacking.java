package verwalter.artifacts;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.OptionalLong;
import java.util.zip.ZipException;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * Unpacks one archive to a new directory. Files and directories become read-only; owners, special
 * permission bits and attributes of the archive have no effect. Files keep their times, in whole
 * seconds; directories and links have the time at which they were created.
 *
 * <p>Nothing is written through a link: each parent of an entry must be a directory that this
 * object has created. Files are forced to the disk while later ones are unpacked. Used by one
 * thread.
 */
final class Unpacking {
  private static final String ACTION = "unpack";

  private final ArtifactDisk disk;
  private final UnpackLimits limits;
  private final Path root;
  private final Blob blob;
  private final SpaceGuard space;
  private final WorkProgress progress;
  private final Cancellation cancellation;
  private final TreeManifest.Writer manifest;
  private final FileSyncs syncs;
  private final EntryTree tree;
  private final byte[] buffer = new byte[1 << 16];
  private long unpacked;
  private long entries;

  Unpacking(
      ArtifactDisk disk,
      UnpackLimits limits,
      FreeSpace space,
      Blob blob,
      Path root,
      TreeManifest.Writer manifest,
      FileSyncs syncs,
      WorkProgress progress,
      Cancellation cancellation) {
    this.disk = disk;
    this.limits = limits;
    this.space =
        new SpaceGuard(space, ArtifactDisk.parent(root), limits.reserve(), ACTION, blob.digest());
    this.blob = blob;
    this.root = root;
    this.manifest = manifest;
    this.syncs = syncs;
    this.progress = progress;
    this.cancellation = cancellation;
    this.tree = new EntryTree(limits);
  }

  /**
   * Creates the directory, which must not exist; after a failure its content means nothing. Its
   * files and directories, but not itself, are then being forced to the disk.
   */
  void run() throws ArtifactException {
    try (var archive = ArchiveFormat.open(blob.path())) {
      begin(archive);
      disk.makeDirectory(root);
      for (var it = archive.next(); it.isPresent(); it = archive.next()) {
        cancellation.check(ACTION, blob.digest());
        unpack(archive, it.get());
        entries++;
        report(archive);
      }
      tree.checkLinks();
      for (var directory : tree.directories()) {
        var path = root.resolve(directory);
        disk.permissions(path, ArtifactDisk.PROGRAM);
        syncs.begin(path);
        manifest.add(TreeEntry.directory(directory));
      }
      disk.permissions(root, ArtifactDisk.PROGRAM);
    } catch (MalformedArchive | EOFException | ZipException malformed) {
      throw failed(Reason.BAD_ARCHIVE, text(malformed), malformed);
    } catch (InvalidPathException name) {
      throw failed(Reason.BAD_ARCHIVE, "a name cannot be a name of a file here", name);
    } catch (ArchiveLimit tooLarge) {
      throw failed(Reason.TOO_LARGE, text(tooLarge), tooLarge);
    } catch (java.nio.channels.ClosedByInterruptException interrupted) {
      throw Cancellation.exception(ACTION, blob.digest());
    } catch (IOException failed) {
      throw ArtifactException.of(failed, ACTION, blob.digest());
    }
  }

  private ArtifactException failed(Reason reason, String why, Exception cause) {
    return new ArtifactException(reason, ACTION, blob.digest(), why, cause);
  }

  private static String text(IOException failed) {
    return failed instanceof EOFException
        ? "the archive is cut off"
        : String.valueOf(failed.getMessage());
  }

  private void begin(ArchiveReader archive) throws IOException, ArtifactException {
    if (archive.entries().isPresent() && archive.entries().getAsLong() > limits.entries()) {
      throw new ArchiveLimit(
          "it has %d entries".formatted(archive.entries().getAsLong()),
          limits.entries(),
          "entries");
    }
    var announced = archive.announced();
    if (announced.isPresent()) {
      limitBytes(announced.getAsLong());
    }
    space.require(announced.orElse(blob.bytes()));
  }

  private void unpack(ArchiveReader archive, ArchiveEntry entry)
      throws IOException, ArtifactException {
    var path = tree.path(entry.name());
    if (path.isEmpty()) {
      if (entry.type() != ArchiveEntry.Type.DIRECTORY) {
        throw new MalformedArchive("the root of the archive is not a directory");
      }
      return;
    }
    boolean existed = tree.isDirectory(path);
    for (var parent : tree.add(path, entry.type())) {
      disk.makeDirectory(root.resolve(parent));
    }
    var target = root.resolve(path);
    switch (entry.type()) {
      case DIRECTORY -> {
        if (!existed) {
          disk.makeDirectory(target);
        }
      }
      case FILE -> file(archive, entry, path, target);
      case SYMBOLIC_LINK -> symbolicLink(entry, path, target);
      case HARD_LINK -> hardLink(entry, path, target);
    }
  }

  private void file(ArchiveReader archive, ArchiveEntry entry, String path, Path target)
      throws IOException, ArtifactException {
    if (entry.bytes() > limits.fileBytes()) {
      throw new ArchiveLimit(
          "the file \"%s\" has %d bytes".formatted(path, entry.bytes()),
          limits.fileBytes(),
          "fileBytes");
    }
    limitBytes(unpacked + entry.bytes());
    space.writing(entry.bytes());
    var sha256 = Sha256.start();
    long size = 0;
    try (var channel = disk.create(target)) {
      for (int n = archive.read(buffer, 0, buffer.length);
          n >= 0;
          n = archive.read(buffer, 0, buffer.length)) {
        cancellation.check(ACTION, blob.digest());
        size += n;
        unpacked += n;
        limitRatio(archive);
        sha256.update(buffer, 0, n);
        disk.write(channel, target, buffer, n);
        report(archive);
      }
    }
    disk.modified(target, FileTime.from(entry.modified()));
    disk.permissions(target, entry.executable() ? ArtifactDisk.PROGRAM : ArtifactDisk.READ_ONLY);
    syncs.begin(target);
    manifest.add(TreeEntry.file(path, entry.executable(), size, Digest.of(sha256.digest())));
  }

  private void symbolicLink(ArchiveEntry entry, String path, Path target) throws IOException {
    if (entry.target().isEmpty() || entry.target().length() > limits.pathBytes()) {
      throw new MalformedArchive("the link \"%s\" has no valid target".formatted(path));
    } else if (entry.target().startsWith("/")) {
      throw new MalformedArchive(
          "the link \"%s\" leads outside, to \"%s\"".formatted(path, entry.target()));
    }
    tree.link(path, entry.target());
    // A Path has no repeated slashes, which mean nothing.
    var written = Path.of(entry.target());
    disk.symbolicLink(target, written);
    manifest.add(TreeEntry.link(path, written.toString()));
  }

  private void hardLink(ArchiveEntry entry, String path, Path target)
      throws IOException, ArtifactException {
    var existing = tree.path(entry.target());
    if (existing.equals(path) || !tree.isFile(existing)) {
      throw new MalformedArchive(
          "the hard link \"%s\" names \"%s\", which is not an earlier file of the archive"
              .formatted(path, entry.target()));
    }
    disk.hardLink(target, root.resolve(existing));
    var sha256 = Sha256.start();
    long size = Sha256.add(sha256, target, n -> cancellation.check(ACTION, blob.digest()));
    boolean executable = java.nio.file.Files.isExecutable(target);
    manifest.add(TreeEntry.file(path, executable, size, Digest.of(sha256.digest())));
  }

  private void limitBytes(long bytes) throws ArchiveLimit {
    if (bytes > limits.bytes() || bytes < 0) {
      throw new ArchiveLimit(
          "its files have at least %d bytes together".formatted(bytes), limits.bytes(), "bytes");
    }
  }

  private void limitRatio(ArchiveReader archive) throws IOException {
    if (unpacked > UnpackLimits.RATIO_AFTER
        && unpacked / limits.ratio() > Math.max(1, archive.position())) {
      throw new ArchiveLimit(
          "%d bytes of it have become %d".formatted(archive.position(), unpacked),
          limits.ratio(),
          "ratio");
    }
  }

  private void report(ArchiveReader archive) throws IOException {
    progress.at(Math.min(archive.position(), blob.bytes()), OptionalLong.of(blob.bytes()), entries);
  }
}
