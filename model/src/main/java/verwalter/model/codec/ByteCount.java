package verwalter.model.codec;

import java.io.OutputStream;

/** Counts bytes instead of keeping them. */
final class ByteCount extends OutputStream {
  private int bytes;

  /** The number of bytes that were written. */
  int bytes() {
    return bytes;
  }

  @Override
  public void write(int one) {
    bytes++;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    bytes = Math.addExact(bytes, length);
  }
}
