package verwalter.deploymentlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import verwalter.files.FileAccess;

/** Deployment logs in a local directory. */
final class LocalLogDisk implements LogDisk {
  private static final String LATEST = "latest";
  private static final Set<OpenOption> READING =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /** Names of log files. Other files belong to other programs, such as the supervisor. */
  private static final Pattern OURS = Pattern.compile("log\\.\\d{14}\\.txt|index\\.\\d{8}\\.json");

  private final Path root;
  private final FileAccess access;

  LocalLogDisk(Path root, FileAccess access) {
    this.root = root;
    this.access = access;
  }

  /** Restricts the access to the logs of an earlier agent. */
  void restrict() throws IOException {
    for (var directory : directories()) {
      if (holdsOurs(directory)) {
        access.restrictTree(directory);
      }
    }
  }

  private static boolean holdsOurs(Path directory) throws IOException {
    try (var entries = Files.newDirectoryStream(directory)) {
      for (var entry : entries) {
        if (OURS.matcher(String.valueOf(entry.getFileName())).matches()) {
          return true;
        }
      }
    }
    return false;
  }

  private List<Path> directories() throws IOException {
    var directories = new ArrayList<Path>();
    try (var entries =
        Files.newDirectoryStream(
            root, entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
      entries.forEach(directories::add);
    }
    return directories;
  }

  @Override
  public long append(String directory, String file, String text) throws IOException {
    var path = made(directory).resolve(file);
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean torn = isTorn(path);
    // Only the agent writes to the directory, but a link in it could still point anywhere.
    if (Files.isSymbolicLink(path)) {
      throw new IOException(path + " is a symbolic link; remove it");
    }
    try (var channel = access.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      long begins = channel.size() + (torn ? 1 : 0);
      var buffer = ByteBuffer.allocate(bytes.length + 1);
      if (torn) {
        buffer.put((byte) '\n');
      }
      buffer.put(bytes).flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      return begins;
    }
  }

  /** Whether a file does not end with a line end. */
  private static boolean isTorn(Path path) throws IOException {
    try (var channel = FileChannel.open(path, READING)) {
      if (channel.size() == 0) {
        return false;
      }
      var last = ByteBuffer.allocate(1);
      channel.read(last, channel.size() - 1);
      return last.get(0) != '\n';
    } catch (NoSuchFileException absent) {
      return false;
    }
  }

  private Path made(String directory) throws IOException {
    var path = root.resolve(directory);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      access.makeDirectory(path);
    }
    return path;
  }

  @Override
  public Optional<LogFile> latest(String directory) throws IOException {
    var target = target(directory);
    if (target.isEmpty()) {
      return Optional.empty();
    }
    var path = root.resolve(directory).resolve(target.get());
    try {
      var attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile()
          ? Optional.of(described(directory, target.get(), attributes, true))
          : Optional.empty();
    } catch (NoSuchFileException dangling) {
      return Optional.empty();
    }
  }

  /** The target of {@code latest}, if it is a name without a slash. */
  private Optional<String> target(String directory) throws IOException {
    try {
      var target = Files.readSymbolicLink(root.resolve(directory).resolve(LATEST)).toString();
      return target.contains("/") ? Optional.empty() : Optional.of(target);
    } catch (NoSuchFileException | NotLinkException | InvalidPathException none) {
      return Optional.empty();
    }
  }

  private static LogFile described(
      String directory, String name, BasicFileAttributes attributes, boolean latest) {
    return new LogFile(
        directory, name, attributes.size(), attributes.lastModifiedTime().toInstant(), latest);
  }

  @Override
  public void point(String directory, String file) throws IOException {
    if (target(directory).filter(file::equals).isPresent()) {
      return;
    }
    var fresh = made(directory).resolve(LATEST + ".tmp");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, Path.of(file));
    Files.move(fresh, root.resolve(directory).resolve(LATEST), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public List<LogFile> files() throws IOException {
    var files = new ArrayList<LogFile>();
    for (var directory : directories()) {
      list(String.valueOf(directory.getFileName()), directory, files);
    }
    return files;
  }

  private void list(String name, Path directory, List<LogFile> files) throws IOException {
    var latest = target(name).orElse("");
    try (var entries = Files.newDirectoryStream(directory)) {
      for (var entry : entries) {
        var file = String.valueOf(entry.getFileName());
        if (OURS.matcher(file).matches()) {
          var attributes =
              Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          files.add(described(name, file, attributes, file.equals(latest)));
        }
      }
    }
  }

  @Override
  public String tail(LogFile file, int bytes) throws IOException {
    var path = root.resolve(file.directory()).resolve(file.name());
    try (var channel = FileChannel.open(path, READING)) {
      var tail = ByteBuffer.allocate((int) Math.min(bytes, channel.size()));
      channel.position(channel.size() - tail.capacity());
      while (tail.hasRemaining() && channel.read(tail) >= 0) {
        // more of it may come
      }
      return new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void remove(LogFile file) throws IOException {
    var directory = root.resolve(file.directory());
    if (file.latest()) {
      Files.deleteIfExists(directory.resolve(LATEST));
    }
    Files.deleteIfExists(directory.resolve(file.name()));
    if (file.latest()) {
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException used) {
        // Something else is there, and stays.
      }
    }
  }
}
