package verwalter.artifacts;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;

/**
 * Decompresses Zstandard. The library reports malformed input with several exceptions. Windows
 * larger than 8 MiB, which {@code zstd --ultra} and {@code --long} can make, are refused.
 */
final class Unzstd extends FilterInputStream {
  private final CountedInput packed;

  Unzstd(CountedInput packed) {
    super(new ZstdInputStream(packed));
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      return in.read(into, offset, length);
    } catch (IOException | RuntimeException failed) {
      if (packed.hasFailed()) {
        throw failed;
      }
      var why = String.valueOf(failed.getMessage());
      throw new MalformedArchive(
          why.contains("Window size too large")
              ? "its window is larger than 8 MiB; compress it without --ultra and --long"
              : "the Zstandard data are malformed: " + why);
    }
  }

  /** Reads, since the library does not skip. */
  @Override
  public long skip(long bytes) throws IOException {
    var rest = new byte[(int) Math.min(bytes, 1 << 16)];
    return Math.max(0, read(rest, 0, rest.length));
  }
}
