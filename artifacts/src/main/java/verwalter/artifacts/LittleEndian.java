package verwalter.artifacts;

/** Reads the numbers of zip archives. */
final class LittleEndian {
  static int two(byte[] bytes, int at) {
    return (bytes[at] & 0xff) | (bytes[at + 1] & 0xff) << 8;
  }

  static long four(byte[] bytes, int at) {
    return two(bytes, at) | (long) two(bytes, at + 2) << 16;
  }

  /** Numbers of more than 63 bits are negative. */
  static long eight(byte[] bytes, int at) {
    return four(bytes, at) | four(bytes, at + 4) << 32;
  }

  private LittleEndian() {}
}
