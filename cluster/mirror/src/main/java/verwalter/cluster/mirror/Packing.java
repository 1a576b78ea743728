package verwalter.cluster.mirror;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses messages between nodes with raw DEFLATE. */
public final class Packing {
  /**
   * Compresses bytes.
   *
   * @param level one of {@link Deflater}
   * @param dictionary strings that the bytes often contain; empty for none
   */
  public static byte[] pack(byte[] plain, int level, byte[] dictionary) {
    var deflater = new Deflater(level, true);
    try {
      if (dictionary.length > 0) {
        deflater.setDictionary(dictionary);
      }
      deflater.setInput(plain);
      deflater.finish();
      var to = new byte[Math.max(64, plain.length / 2)];
      int done = 0;
      while (!deflater.finished()) {
        if (done == to.length) {
          to = Arrays.copyOf(to, 2 * to.length);
        }
        done += deflater.deflate(to, done, to.length - done);
      }
      return Arrays.copyOf(to, done);
    } finally {
      deflater.end();
    }
  }

  /**
   * Restores what {@link #pack} has compressed.
   *
   * @param length the number of bytes that were compressed, which the caller has checked against
   *     its limit
   * @param dictionary the same as for {@link #pack}
   * @throws IOException if the result has another length, or the bytes are damaged
   */
  public static byte[] unpack(byte[] packed, int length, byte[] dictionary) throws IOException {
    var inflater = new Inflater(true);
    try {
      if (dictionary.length > 0) {
        inflater.setDictionary(dictionary);
      }
      inflater.setInput(packed);
      var to = new byte[length];
      int done = 0;
      while (done < length) {
        int more = inflater.inflate(to, done, length - done);
        if (more == 0) {
          break;
        }
        done += more;
      }
      boolean more = inflater.inflate(new byte[1]) > 0;
      if (done != length || more || !inflater.finished()) {
        throw new IOException("a message ends after %d of %d bytes".formatted(done, length));
      }
      return to;
    } catch (DataFormatException damaged) {
      throw new IOException(damaged);
    } finally {
      inflater.end();
    }
  }

  private Packing() {}
}
