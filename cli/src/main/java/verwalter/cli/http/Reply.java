package verwalter.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * One answer, whose body is still coming.
 *
 * @param headers their names in lower case; of several with one name the last
 */
public record Reply(int status, Map<String, String> headers, InputStream body) {
  private static final int LONGEST = 256 << 20;

  /** The whole body, after which the connection is free again. */
  public byte[] bytes() throws IOException {
    var bytes = body.readNBytes(LONGEST);
    if (bytes.length == LONGEST) {
      throw new IOException("the answer is longer than 256 MiB");
    }
    return bytes;
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }
}
