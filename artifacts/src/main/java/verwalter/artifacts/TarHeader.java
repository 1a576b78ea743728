package verwalter.artifacts;

import java.util.Optional;

/** A block of a tar archive that describes an entry. Reads its fields and decides nothing. */
final class TarHeader {
  static final int SIZE = 512;
  private static final int CHECKSUM = 148;
  private static final int CHECKSUM_LENGTH = 8;

  private final byte[] block;

  private TarHeader(byte[] block) {
    this.block = block;
  }

  /** Whether the checksum of the block is right. */
  static boolean isHeader(byte[] block) {
    long unsigned = 0;
    long signed = 0;
    for (int i = 0; i < SIZE; i++) {
      boolean blank = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
      unsigned += blank ? ' ' : block[i] & 0xff;
      signed += blank ? ' ' : block[i];
    }
    try {
      long expected = number(block, CHECKSUM, CHECKSUM_LENGTH);
      return expected == unsigned || expected == signed;
    } catch (MalformedArchive malformed) {
      return false;
    }
  }

  /**
   * @param block 512 bytes, which this object keeps
   */
  static TarHeader of(byte[] block) throws MalformedArchive {
    if (!isHeader(block)) {
      throw new MalformedArchive("a header of the tar archive is damaged");
    }
    return new TarHeader(block);
  }

  static boolean isBlank(byte[] block) {
    for (byte it : block) {
      if (it != 0) {
        return false;
      }
    }
    return true;
  }

  char type() {
    return (char) (block[156] & 0xff);
  }

  /** The name with its prefix, which only POSIX archives have. */
  String name() throws MalformedArchive {
    var name = text(0, 100);
    boolean isPosix =
        block[257] == 'u' && block[258] == 's' && block[259] == 't' && block[262] == 0;
    var prefix = isPosix ? text(345, 155) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  String target() throws MalformedArchive {
    return text(157, 100);
  }

  int mode() throws MalformedArchive {
    return (int) (number(block, 100, 8) & 07777);
  }

  long size() throws MalformedArchive {
    return positive(124);
  }

  long modified() throws MalformedArchive {
    return number(block, 136, 12);
  }

  /** The whole size of a sparse file in GNU's old format. */
  long realSize() throws MalformedArchive {
    return positive(483);
  }

  /** Four regions follow at 386 in a header, 21 at 0 in a block that continues it. */
  static void regions(byte[] block, int offset, int count, SparseRegions to)
      throws MalformedArchive {
    for (int i = 0; i < count; i++) {
      int at = offset + i * 24;
      if (block[at] == 0) {
        return;
      }
      to.add(number(block, at, 12), number(block, at + 12, 12));
    }
  }

  void regions(SparseRegions to) throws MalformedArchive {
    regions(block, 386, 4, to);
  }

  boolean isContinued() {
    return block[482] != 0;
  }

  private long positive(int offset) throws MalformedArchive {
    long number = number(block, offset, 12);
    if (number < 0) {
      throw new MalformedArchive("a header of the tar archive has a negative size");
    }
    return number;
  }

  private String text(int offset, int length) throws MalformedArchive {
    int end = 0;
    while (end < length && block[offset + end] != 0) {
      end++;
    }
    return decoded(block, offset, end);
  }

  static String decoded(byte[] bytes, int offset, int length) throws MalformedArchive {
    Optional<String> text = StrictText.utf8(bytes, offset, length);
    return text.orElseThrow(() -> new MalformedArchive("a name in the tar archive is not UTF-8"));
  }

  /** Octal digits, or a binary number if the highest bit is set. */
  private static long number(byte[] block, int offset, int length) throws MalformedArchive {
    if ((block[offset] & 0x80) != 0) {
      return binary(block, offset, length);
    }
    int at = offset;
    int end = offset + length;
    while (at < end && block[at] == ' ') {
      at++;
    }
    long number = 0;
    while (at < end && block[at] >= '0' && block[at] <= '7') {
      number = number * 8 + block[at] - '0';
      at++;
    }
    if (at < end && block[at] != ' ' && block[at] != 0) {
      throw new MalformedArchive("a header of the tar archive has a malformed number");
    }
    return number;
  }

  private static long binary(byte[] block, int offset, int length) throws MalformedArchive {
    long number = (block[offset] & 0x40) == 0 ? block[offset] & 0x3f : block[offset] | -0x40L;
    for (int i = 1; i < length; i++) {
      if (number > (Long.MAX_VALUE >> 8) || number < (Long.MIN_VALUE >> 8)) {
        throw new MalformedArchive("a header of the tar archive has a number that is too large");
      }
      number = number << 8 | (block[offset + i] & 0xff);
    }
    return number;
  }
}
