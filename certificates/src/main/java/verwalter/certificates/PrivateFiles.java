package verwalter.certificates;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.files.FileAccess;

/** Files in a directory, with mode 0600. A file is written beside its place and moved there. */
final class PrivateFiles implements PkiFiles {
  private static final long MOST_BYTES = 1 << 20;
  private static final String UNFINISHED = ".new";

  private final Path directory;

  private PrivateFiles(Path directory) {
    this.directory = directory;
  }

  static PrivateFiles open(Path directory) throws IOException {
    FileAccess.PRIVATE.makeDirectories(directory);
    FileAccess.PRIVATE.restrictTree(directory);
    var unfinished = new ArrayList<Path>();
    try (var entries = Files.newDirectoryStream(directory, "*" + UNFINISHED)) {
      entries.forEach(unfinished::add);
    }
    for (var each : unfinished) {
      Files.deleteIfExists(each);
    }
    return new PrivateFiles(directory);
  }

  @Override
  public Optional<String> read(String name) throws IOException {
    var file = directory.resolve(name);
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException(file + " is larger than 1 MiB");
      }
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  @Override
  public Object stamp(String name) throws IOException {
    try {
      var about = Files.readAttributes(directory.resolve(name), BasicFileAttributes.class);
      return List.of(about.lastModifiedTime(), about.size(), "" + about.fileKey());
    } catch (NoSuchFileException absent) {
      return "";
    }
  }

  @Override
  public void write(String name, String content) throws IOException {
    var unfinished = directory.resolve(name + UNFINISHED);
    Files.deleteIfExists(unfinished);
    try (var channel = FileAccess.PRIVATE.open(unfinished, StandardOpenOption.CREATE_NEW)) {
      var bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    sync();
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
    sync();
  }

  private void sync() throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public String place(String name) {
    return directory.resolve(name).toString();
  }
}
