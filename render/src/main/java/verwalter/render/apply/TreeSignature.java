package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Optional;
import verwalter.render.Text;

/**
 * A hash of a directory tree: names, contents, executable bits and targets of links. Times and
 * owners are not included.
 */
final class TreeSignature {
  private static final int ENTRIES = 100_000;
  private static final long BYTES = 4L << 30;

  private final MessageDigest digest = Text.digest();
  private final int mostEntries;
  private final long mostBytes;
  private int entries;
  private long bytes;

  private TreeSignature(int mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /** Lower-case hex; absent if the path does not exist. A link at the path is followed. */
  static Optional<String> of(Path directory) throws IOException {
    return of(directory, ENTRIES, BYTES);
  }

  /**
   * The same with other limits.
   *
   * @throws IOException if there are more files and directories, or more bytes
   */
  static Optional<String> of(Path directory, int mostEntries, long mostBytes) throws IOException {
    if (!Files.exists(directory)) {
      return Optional.empty();
    }
    var signature = new TreeSignature(mostEntries, mostBytes);
    signature.add(directory.toRealPath(), "");
    return Optional.of(HexFormat.of().formatHex(signature.digest.digest()));
  }

  private void add(Path path, String name) throws IOException {
    if (++entries > mostEntries) {
      throw new IOException("there are more than " + mostEntries + " files");
    }
    var attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (attributes.isSymbolicLink()) {
      text("link", name, Files.readSymbolicLink(path).toString());
    } else if (attributes.isDirectory()) {
      text("directory", name);
      addAll(path);
      text("end");
    } else if (attributes.isRegularFile()) {
      text(executable(path) ? "program" : "file", name);
      content(path);
    } else {
      text("other", name);
    }
  }

  private void addAll(Path directory) throws IOException {
    var names = new ArrayList<String>();
    try (var found = Files.newDirectoryStream(directory)) {
      found.forEach(each -> names.add(String.valueOf(each.getFileName())));
    }
    names.sort(Text.BY_CODE_POINT);
    for (var name : names) {
      try {
        add(directory.resolve(name), name);
      } catch (NoSuchFileException gone) {
        text("gone");
      }
    }
  }

  private static boolean executable(Path path) throws IOException {
    var mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & 0111) != 0;
  }

  private void content(Path path) throws IOException {
    long size = 0;
    try (var stream = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      var block = new byte[32 << 10];
      for (int count = stream.read(block); count != -1; count = stream.read(block)) {
        digest.update(block, 0, count);
        size += count;
        bytes += count;
        if (bytes > mostBytes) {
          throw new IOException("there are more than " + mostBytes + " bytes");
        }
      }
    }
    text(Long.toString(size));
  }

  /** Writes the length first, so that different lists of texts give different input. */
  private void text(String... texts) {
    for (var text : texts) {
      var encoded = Text.bytes(text);
      digest.update(Text.bytes(encoded.length + ":"));
      digest.update(encoded);
    }
  }
}
