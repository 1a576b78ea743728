package verwalter.artifacts;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The manifest of a release: a text file with the key, the digest of the archive, a line for each
 * file, directory and link, and a last line with their number, the bytes of all files and the
 * SHA-256 of all lines before it. Lines are written and read one by one.
 *
 * <pre>
 * verwalter release 1
 * key web/1.2/g1.l0/n1
 * blob sha256:…
 * d 0555 bin
 * f 0555 1234 sha256:… bin/server
 * l current bin
 * end 3 1234 sha256:…
 * </pre>
 */
final class TreeManifest {
  private static final String TITLE = "verwalter release 1";
  private static final int MOST_LAST_LINE = 200;
  private static final int MOST_LINE = 64 << 10;

  /**
   * What the first and last lines say.
   *
   * @param key of the release
   * @param blob digest of its archive
   * @param entries number of files, directories and links
   * @param bytes of all files
   */
  record Summary(String key, Digest blob, long entries, long bytes) {}

  /** Writes a manifest. */
  static final class Writer implements Closeable {
    private final ArtifactDisk disk;
    private final Path file;
    private final FileChannel channel;
    private final MessageDigest digest = Sha256.start();
    private final byte[] buffer = new byte[1 << 16];
    private int length;
    private long entries;
    private long bytes;

    Writer(ArtifactDisk disk, Path file, String key, Digest blob) throws IOException {
      this.disk = disk;
      this.file = file;
      this.channel = disk.create(file);
      line(TITLE);
      line("key " + EscapedText.word(key));
      line("blob " + blob);
    }

    void add(TreeEntry entry) throws IOException {
      entries++;
      bytes += entry.bytes();
      var path = EscapedText.word(entry.path());
      switch (entry.type()) {
        case DIRECTORY -> line("d %04o %s".formatted(entry.mode(), path));
        case SYMBOLIC_LINK -> line("l " + path + " " + EscapedText.word(entry.target()));
        default ->
            line(
                (entry.mode() == 0555 ? "f 0555 " : "f 0444 ")
                    + entry.bytes()
                    + " "
                    + entry.digest().orElseThrow()
                    + " "
                    + path);
      }
    }

    private void line(String text) throws IOException {
      var line = (text + "\n").getBytes(StandardCharsets.UTF_8);
      digest.update(line);
      put(line);
    }

    private void put(byte[] line) throws IOException {
      if (length + line.length > buffer.length) {
        flush();
      }
      if (line.length > buffer.length) {
        disk.write(channel, file, line, line.length);
        return;
      }
      System.arraycopy(line, 0, buffer, length, line.length);
      length += line.length;
    }

    private void flush() throws IOException {
      disk.write(channel, file, buffer, length);
      length = 0;
    }

    /** Writes the last line; the manifest survives a crash of the machine. */
    void finish() throws IOException {
      var last = "end %d %d %s\n".formatted(entries, bytes, Digest.of(digest.digest()));
      put(last.getBytes(StandardCharsets.UTF_8));
      flush();
      disk.permissions(file, ArtifactDisk.READ_ONLY);
      disk.force(channel, file);
    }

    long bytes() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** Receives the lines of a manifest. */
  @FunctionalInterface
  interface Lines {
    void entry(TreeEntry entry) throws IOException;
  }

  /**
   * Reads the first and the last line.
   *
   * @return empty if the manifest is not complete
   */
  static Optional<Summary> summary(Path file) throws IOException {
    try (var reader = Files.newBufferedReader(file);
        var channel = ArtifactDisk.reading(file)) {
      var title = reader.readLine();
      var key = reader.readLine();
      var blob = reader.readLine();
      int tail = (int) Math.min(channel.size(), MOST_LAST_LINE);
      var bytes = ZipDirectory.read(channel, channel.size() - tail, tail);
      var text = new String(bytes, StandardCharsets.ISO_8859_1);
      int end = text.lastIndexOf("\nend ");
      if (!TITLE.equals(title) || key == null || blob == null || end < 0 || !text.endsWith("\n")) {
        return Optional.empty();
      }
      return Optional.of(summary(key, blob, text.substring(end + 1).strip()));
    } catch (IllegalArgumentException | java.nio.charset.MalformedInputException damaged) {
      return Optional.empty();
    }
  }

  private static Summary summary(String key, String blob, String end) {
    var words = end.split(" ", -1);
    if (words.length != 4) {
      throw new IllegalArgumentException(end);
    }
    return new Summary(
        EscapedText.text(key.substring("key ".length())),
        digest(blob.substring("blob ".length())),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]));
  }

  /**
   * Reads all lines.
   *
   * @return whether the manifest is complete and undamaged; otherwise its entries mean nothing
   */
  static boolean read(Path file, Lines lines) throws IOException {
    var digest = Sha256.start();
    try (var reader = Files.newBufferedReader(file)) {
      for (int number = 0; ; number++) {
        var line = line(reader);
        if (line == null) {
          return false;
        } else if (line.startsWith("end ")) {
          return line.endsWith(" " + Digest.of(digest.digest())) && reader.read() < 0;
        }
        digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
        if (number > 2) {
          lines.entry(entry(line));
        }
      }
    } catch (IllegalArgumentException
        | UncheckedIOException
        | java.nio.charset.MalformedInputException damaged) {
      return false;
    }
  }

  private static @org.jspecify.annotations.Nullable String line(BufferedReader reader)
      throws IOException {
    var line = reader.readLine();
    if (line != null && line.length() > MOST_LINE) {
      throw new IllegalArgumentException("a line is too long");
    }
    return line;
  }

  private static TreeEntry entry(String line) {
    var words = line.split(" ", -1);
    if (words[0].equals("d") && words.length == 3) {
      return TreeEntry.directory(EscapedText.text(words[2]));
    } else if (words[0].equals("l") && words.length == 3) {
      return TreeEntry.link(EscapedText.text(words[1]), EscapedText.text(words[2]));
    } else if (words[0].equals("f") && words.length == 5) {
      return TreeEntry.file(
          EscapedText.text(words[4]),
          words[1].equals("0555"),
          Long.parseLong(words[2]),
          digest(words[3]));
    }
    throw new IllegalArgumentException("not a line of a manifest");
  }

  private static Digest digest(String text) {
    try {
      return Digest.parse(text);
    } catch (ArtifactException malformed) {
      throw new IllegalArgumentException(malformed);
    }
  }

  private TreeManifest() {}
}
