package verwalter.artifacts;

import static verwalter.artifacts.LittleEndian.eight;
import static verwalter.artifacts.LittleEndian.four;
import static verwalter.artifacts.LittleEndian.two;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.zip.CRC32;

/**
 * An entry of the central directory of a zip archive.
 *
 * @param name of the entry
 * @param method 0 for stored, 8 for deflated
 * @param crc of the content
 * @param packed bytes in the archive
 * @param bytes of the content
 * @param offset of the local header
 * @param unixMode type and permissions, or 0 if the archive was not made on Unix
 * @param modified time of the last change; times without a zone are read as UTC
 */
record ZipRecord(
    String name,
    int method,
    long crc,
    long packed,
    long bytes,
    long offset,
    int unixMode,
    Instant modified) {
  static final int SIGNATURE = 0x02014b50;
  static final int FIXED = 46;
  private static final long IN_EXTRA = 0xffffffffL;
  private static final int UNIX = 3;

  /**
   * @param fixed the first 46 bytes
   * @param name the name
   * @param extra the extra fields
   */
  static ZipRecord of(byte[] fixed, byte[] name, byte[] extra) throws MalformedArchive {
    int flags = two(fixed, 8);
    if ((flags & 0x2041) != 0) {
      throw new MalformedArchive("an entry of the zip archive is encrypted");
    }
    long packed = four(fixed, 20);
    long bytes = four(fixed, 24);
    long offset = four(fixed, 42);
    var modified = dosTime(two(fixed, 14), two(fixed, 12));
    var text = name(name, flags);
    int end;
    for (int at = 0; at + 4 <= extra.length; at = end) {
      int id = two(extra, at);
      end = at + 4 + two(extra, at + 2);
      at += 4;
      if (end > extra.length) {
        throw malformed();
      }
      if (id == 1) {
        for (int i = 0; i < 3; i++) {
          long present = i == 0 ? bytes : i == 1 ? packed : offset;
          if (present == IN_EXTRA) {
            if (at + 8 > end) {
              throw malformed();
            }
            long number = eight(extra, at);
            at += 8;
            bytes = i == 0 ? number : bytes;
            packed = i == 1 ? number : packed;
            offset = i == 2 ? number : offset;
          }
        }
      } else if (id == 0x5455 && end - at >= 5 && (extra[at] & 1) != 0) {
        modified = Instant.ofEpochSecond(Math.max(0, (int) four(extra, at + 1)));
      } else if (id == 0x7075 && end - at > 5 && extra[at] == 1) {
        var crc = new CRC32();
        crc.update(name);
        if (crc.getValue() == four(extra, at + 1)) {
          text = StrictText.utf8(extra, at + 5, end - at - 5).orElseThrow(ZipRecord::malformed);
        }
      }
    }
    if (packed < 0 || bytes < 0 || offset < 0) {
      throw malformed();
    }
    boolean isUnix = two(fixed, 4) >> 8 == UNIX;
    int mode = isUnix ? two(fixed, 40) : 0;
    return new ZipRecord(
        text, two(fixed, 10), four(fixed, 16), packed, bytes, offset, mode, modified);
  }

  /** Names that are not marked as UTF-8 are in the code page of DOS, unless they are UTF-8. */
  private static String name(byte[] bytes, int flags) throws MalformedArchive {
    var text = StrictText.utf8(bytes, 0, bytes.length);
    if (text.isPresent()) {
      return text.get();
    } else if ((flags & 0x800) != 0) {
      throw new MalformedArchive("a name in the zip archive is not UTF-8");
    }
    return new String(
        bytes, Charset.isSupported("IBM437") ? Charset.forName("IBM437") : StandardCharsets.UTF_8);
  }

  private static Instant dosTime(int date, int time) {
    try {
      return LocalDateTime.of(
              1980 + (date >> 9),
              date >> 5 & 15,
              date & 31,
              time >> 11,
              time >> 5 & 63,
              (time & 31) * 2)
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException none) {
      return Instant.EPOCH;
    }
  }

  static MalformedArchive malformed() {
    return new MalformedArchive("the zip archive is malformed");
  }

  /** The kind of entry; names of directories end with a slash. */
  ArchiveEntry.Type type() throws MalformedArchive {
    return switch (unixMode & 0170000) {
      case 0 -> name.endsWith("/") ? ArchiveEntry.Type.DIRECTORY : ArchiveEntry.Type.FILE;
      case 0040000 -> ArchiveEntry.Type.DIRECTORY;
      case 0100000 -> ArchiveEntry.Type.FILE;
      case 0120000 -> ArchiveEntry.Type.SYMBOLIC_LINK;
      case 0010000 -> throw new MalformedArchive("\"%s\" is a named pipe".formatted(name));
      case 0140000 -> throw new MalformedArchive("\"%s\" is a socket".formatted(name));
      default -> throw new MalformedArchive("\"%s\" is a device".formatted(name));
    };
  }

  boolean isExecutable() {
    return (unixMode & 0100) != 0;
  }
}
