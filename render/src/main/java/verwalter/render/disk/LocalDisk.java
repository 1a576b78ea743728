package verwalter.render.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * The disk of this machine. Every file is accessed relative to its directory, which {@link
 * SafePathWalker} opens: a link that is created on the way at any moment has no effect. Two
 * operations are possible in the JDK only by path and follow directly after such a check: creating
 * links, which happens when an old one is restored, and modes above 0777. Used by one thread at a
 * time.
 */
public final class LocalDisk implements Disk {
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> WRITE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<PosixFilePermission> OWN_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private static final String BOOT = bootId();
  private static final Path ITSELF = Path.of(".");

  private final Executor syncing;
  private final Map<Path, SecureDirectoryStream<Path>> open = new HashMap<>();

  public LocalDisk() {
    this(Runnable::run);
  }

  /**
   * @param syncing executor for files that are synced together, concurrently if possible
   */
  public LocalDisk(Executor syncing) {
    this.syncing = syncing;
  }

  /** An operation on a file in its directory. */
  @FunctionalInterface
  private interface Step {
    void on(SecureDirectoryStream<Path> directory, Path name) throws IOException;
  }

  private void at(Path file, Step step) throws IOException {
    var parent = directory(file);
    var held = open.get(parent);
    if (held != null) {
      step.on(held, file.getFileName());
      return;
    }
    try (var directory = SafePathWalker.into(parent)) {
      step.on(directory, file.getFileName());
    }
  }

  @Override
  public void within(Path directory, Work work) throws IOException {
    if (open.containsKey(directory)) {
      work.run();
      return;
    }
    try (var stream = SafePathWalker.into(directory)) {
      open.put(directory, stream);
      work.run();
    } finally {
      open.remove(directory);
    }
  }

  /**
   * The file is created for its owner only, so that no other user can open it before its mode is
   * set.
   */
  @Override
  public void create(Path file, byte[] content, Mode mode) throws IOException {
    create(file, content, mode, true);
  }

  @Override
  public void scratch(Path file, byte[] content, Mode mode) throws IOException {
    create(file, content, mode, false);
  }

  private void create(Path file, byte[] content, Mode mode, boolean lasting) throws IOException {
    at(
        file,
        (directory, name) -> {
          try (var channel = file(directory.newByteChannel(name, NEW, OWNER_ONLY))) {
            if (!mode.equals(Mode.PRIVATE)) {
              setMode(directory, file, mode);
            }
            write(channel, content);
            if (lasting) {
              channel.force(true);
            }
          }
        });
  }

  @Override
  public void overwrite(Path file, long from, byte[] content) throws IOException {
    at(
        file,
        (directory, name) -> {
          try (var channel = file(directory.newByteChannel(name, WRITE, OWNER_ONLY))) {
            channel.truncate(from);
            channel.position(from);
            write(channel, content);
            channel.force(false);
          }
        });
  }

  /** The kernel's id of the time since the machine started. */
  @Override
  public String boot() {
    return BOOT;
  }

  private static String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException unknown) {
      var self = ProcessHandle.current();
      return "process " + self.pid() + " of " + self.info().startInstant();
    }
  }

  private static FileChannel file(SeekableByteChannel channel) throws IOException {
    if (channel instanceof FileChannel file) {
      return file;
    }
    channel.close();
    throw new IOException("this system cannot sync files relative to a directory");
  }

  private static void write(FileChannel channel, byte[] content) throws IOException {
    var buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static void setMode(SecureDirectoryStream<Path> directory, Path file, Mode mode)
      throws IOException {
    if (mode.equals(mode.plain())) {
      view(directory, file).setPermissions(mode.permissions());
    } else {
      SafePathWalker.into(directory(file)).close();
      Files.setAttribute(file, "unix:mode", mode.bits(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, Path file) {
    return directory.getFileAttributeView(
        file.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void link(Path link, Path target) throws IOException {
    SafePathWalker.into(directory(link)).close();
    Files.createSymbolicLink(link, target);
  }

  @Override
  public void chown(Path file, Owner owner, Mode mode) throws IOException {
    var names = file.getFileSystem().getUserPrincipalLookupService();
    try {
      at(
          file,
          (directory, name) -> {
            var view = view(directory, file);
            view.setOwner(names.lookupPrincipalByName(String.valueOf(owner.user())));
            view.setGroup(names.lookupPrincipalByGroupName(String.valueOf(owner.group())));
            setMode(directory, file, mode);
          });
    } catch (FileSystemException e) {
      if (Owners.mayGiveAway()) {
        throw e;
      }
      throw new AccessDeniedException(file.toString(), null, "only root gives files to " + owner);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    at(
        from,
        (source, name) -> {
          if (directory(from).equals(directory(to))) {
            source.move(name, source, to.getFileName());
          } else {
            at(to, (target, newName) -> source.move(name, target, newName));
          }
        });
  }

  @Override
  public void delete(Path file) throws IOException {
    try {
      at(file, SecureDirectoryStream::deleteFile);
    } catch (NoSuchFileException gone) {
      // As intended.
    }
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
    var itself = open.get(path);
    if (itself != null) {
      sync(itself, ITSELF);
      return;
    }
    try {
      at(path, LocalDisk::sync);
    } catch (IOException e) {
      throw Files.isSymbolicLink(path) ? SafePathWalker.replaced(path) : e;
    }
  }

  private static void sync(SecureDirectoryStream<Path> directory, Path name) throws IOException {
    try (var channel = file(directory.newByteChannel(name, READ))) {
      channel.force(true);
    }
  }

  /** The file system writes its journal once for all waiting threads. */
  @Override
  public void sync(Collection<Path> paths) throws IOException {
    var all =
        paths.stream()
            .map(path -> CompletableFuture.runAsync(() -> syncUnchecked(path), syncing))
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw e;
    }
  }

  private void syncUnchecked(Path path) {
    try {
      sync(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of existing directories, by a path without links. */
  public static Path real(Path path) {
    var absolute = path.toAbsolutePath().normalize();
    for (var at = absolute; at != null; at = at.getParent()) {
      try {
        return at.toRealPath().resolve(at.relativize(absolute)).normalize();
      } catch (IOException notThere) {
        // Then sync the parent directories.
      }
    }
    return absolute;
  }

  private static Path directory(Path file) {
    var parent = file.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(file + " is not a file");
    }
    return parent;
  }
}
