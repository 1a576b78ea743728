package verwalter.artifacts;

import static verwalter.artifacts.LittleEndian.eight;
import static verwalter.artifacts.LittleEndian.four;
import static verwalter.artifacts.LittleEndian.two;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Where the central directory of a zip archive is, as the end of the archive says.
 *
 * @param offset of its first byte
 * @param bytes its size
 * @param entries their number
 */
record ZipDirectory(long offset, long bytes, long entries) {
  private static final int END = 22;
  private static final int MOST_COMMENT = 0xffff;
  private static final long END_SIGNATURE = 0x06054b50;
  private static final int LOCATOR = 20;
  private static final long LOCATOR_SIGNATURE = 0x07064b50;
  private static final int END64 = 56;
  private static final long END64_SIGNATURE = 0x06064b50;

  static ZipDirectory of(FileChannel archive) throws IOException {
    long size = archive.size();
    int tail = (int) Math.min(size, END + MOST_COMMENT);
    var bytes = read(archive, size - tail, tail);
    for (int at = tail - END; at >= 0; at--) {
      if (four(bytes, at) == END_SIGNATURE && at + END + two(bytes, at + 20) == tail) {
        return checked(of(archive, bytes, at, size - tail + at), size - tail + at);
      }
    }
    throw new MalformedArchive("the zip archive has no directory; it may be cut off");
  }

  private static ZipDirectory of(FileChannel archive, byte[] tail, int at, long position)
      throws IOException {
    var plain = new ZipDirectory(four(tail, at + 16), four(tail, at + 12), two(tail, at + 10));
    if (two(tail, at + 4) != 0 || two(tail, at + 6) != 0) {
      throw new MalformedArchive("the zip archive is a part of several files");
    }
    if (plain.offset != 0xffffffffL && plain.bytes != 0xffffffffL && plain.entries != 0xffff) {
      return plain;
    }
    if (position < LOCATOR) {
      return plain;
    }
    var locator = read(archive, position - LOCATOR, LOCATOR);
    if (four(locator, 0) != LOCATOR_SIGNATURE) {
      return plain;
    }
    long end64 = eight(locator, 8);
    if (end64 < 0 || end64 > position - LOCATOR - END64) {
      throw ZipRecord.malformed();
    }
    var end = read(archive, end64, END64);
    if (four(end, 0) != END64_SIGNATURE) {
      throw ZipRecord.malformed();
    }
    return checked(new ZipDirectory(eight(end, 48), eight(end, 40), eight(end, 32)), end64);
  }

  private static ZipDirectory checked(ZipDirectory it, long end) throws MalformedArchive {
    if (it.offset < 0
        || it.bytes < 0
        || it.entries < 0
        || it.offset > end
        || it.bytes > end - it.offset
        || it.entries > it.bytes / ZipRecord.FIXED) {
      throw ZipRecord.malformed();
    }
    return it;
  }

  static byte[] read(FileChannel archive, long from, int length) throws IOException {
    var buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (archive.read(buffer, from + buffer.position()) < 0) {
        throw new MalformedArchive("the zip archive is cut off");
      }
    }
    return buffer.array();
  }
}
