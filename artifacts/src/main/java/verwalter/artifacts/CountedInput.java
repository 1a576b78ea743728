package verwalter.artifacts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that were read, and notes whether reading has failed. */
final class CountedInput extends FilterInputStream {
  private long count;
  private boolean failed;

  CountedInput(InputStream in) {
    super(in);
  }

  long count() {
    return count;
  }

  /** Whether the disk has failed, so that what reads from here is not to blame. */
  boolean hasFailed() {
    return failed;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    failed = true;
    int n = in.read(into, offset, length);
    failed = false;
    if (n > 0) {
      count += n;
    }
    return n;
  }

  @Override
  public long skip(long bytes) throws IOException {
    return Math.max(0, read(new byte[(int) Math.min(bytes, 1 << 16)]));
  }
}
