package verwalter.artifacts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;

/** The archive formats, recognised by their first bytes. */
enum ArchiveFormat {
  TAR,
  TAR_GZ,
  TAR_ZST,
  ZIP;

  private static final int BUFFER = 1 << 16;

  /** Opens an archive, whatever its name is. */
  static ArchiveReader open(Path archive) throws IOException {
    var format = recognised(archive);
    if (format == ZIP) {
      return ZipReader.open(archive);
    }
    InputStream file = Files.newInputStream(archive, StandardOpenOption.READ);
    try {
      var counted = new CountedInput(file);
      InputStream tar =
          switch (format) {
            case TAR_GZ -> new GZIPInputStream(counted, BUFFER);
            case TAR_ZST -> new Unzstd(counted);
            default -> counted;
          };
      return new TarReader(tar, counted);
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  private static ArchiveFormat recognised(Path archive) throws IOException {
    byte[] head;
    try (var in = Files.newInputStream(archive)) {
      head = in.readNBytes(TarHeader.SIZE);
    }
    if (starts(head, 0x1f, 0x8b)) {
      return TAR_GZ;
    } else if (starts(head, 0x28, 0xb5, 0x2f, 0xfd)) {
      return TAR_ZST;
    } else if (starts(head, 'P', 'K', 3, 4) || starts(head, 'P', 'K', 5, 6)) {
      return ZIP;
    } else if (head.length == TarHeader.SIZE && TarHeader.isHeader(head)) {
      return TAR;
    } else if (starts(head, 0xfd, '7', 'z', 'X', 'Z') || starts(head, 'B', 'Z', 'h')) {
      throw new MalformedArchive("xz and bzip2 are not supported; use gzip or Zstandard");
    }
    throw new MalformedArchive("it is neither tar, tar.gz, tar.zst nor zip");
  }

  private static boolean starts(byte[] head, int... magic) {
    if (head.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((head[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
