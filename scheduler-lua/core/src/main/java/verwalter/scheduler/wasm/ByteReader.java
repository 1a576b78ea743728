package verwalter.scheduler.wasm;

import java.util.Arrays;

/** Reads the WebAssembly binary format. The bytes have been validated before. */
final class ByteReader {
  final byte[] all;
  int at;

  ByteReader(byte[] all, int at) {
    this.all = all;
    this.at = at;
  }

  int next() {
    return all[at++] & 0xff;
  }

  /** An unsigned number of at most 32 bits, as LEB128. */
  int number() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int each = next();
      value |= (long) (each & 0x7f) << shift;
      if ((each & 0x80) == 0) {
        return (int) value;
      }
    }
  }

  /** Skips a LEB128 number of any size and sign. */
  void passNumber() {
    while ((next() & 0x80) != 0) {}
  }

  void passNumbers(int count) {
    for (int i = 0; i < count; i++) {
      passNumber();
    }
  }

  byte[] upTo(int end) {
    return Arrays.copyOfRange(all, at, end);
  }
}
