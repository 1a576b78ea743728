package verwalter.render;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The disk of this machine. */
final class LocalDisk implements Disk {
  private static final Set<StandardOpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<PosixFilePermission> OWN_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  /** Created for its owner only, so that nobody can open it before it has its mode. */
  @Override
  public void create(Path file, byte[] content, Mode mode) throws IOException {
    create(file, content, mode, true);
  }

  @Override
  public void scratch(Path file, byte[] content, Mode mode) throws IOException {
    create(file, content, mode, false);
  }

  private static void create(Path file, byte[] content, Mode mode, boolean lasting)
      throws IOException {
    try (var channel = FileChannel.open(file, NEW, OWNER_ONLY)) {
      Files.setAttribute(file, "unix:mode", mode.bits(), LinkOption.NOFOLLOW_LINKS);
      write(channel, content);
      if (lasting) {
        channel.force(true);
      }
    }
  }

  private static void write(FileChannel channel, byte[] content) throws IOException {
    var buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  @Override
  public void link(Path link, Path target) throws IOException {
    Files.createSymbolicLink(link, target);
  }

  /** Sets the mode again, since a change of owner clears some of its bits. */
  @Override
  public void chown(Path file, Owner owner) throws IOException {
    var mode = Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    try {
      Files.setAttribute(file, "unix:uid", owner.user(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(file, "unix:gid", owner.group(), LinkOption.NOFOLLOW_LINKS);
    } catch (FileSystemException e) {
      if (Owners.mayGiveAway()) {
        throw e;
      }
      throw new AccessDeniedException(file.toString(), null, "only root gives files to " + owner);
    }
    if (!Files.isSymbolicLink(file)) {
      Files.setAttribute(file, "unix:mode", (int) mode & 07777, LinkOption.NOFOLLOW_LINKS);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWN_DIRECTORY));
    if (!Files.getPosixFilePermissions(directory).equals(OWN_DIRECTORY)) {
      Files.setPosixFilePermissions(directory, OWN_DIRECTORY);
    }
  }

  @Override
  public void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
