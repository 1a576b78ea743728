package verwalter.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The first lines of an answer. */
record Head(int status, Map<String, String> headers) {
  private static final int LONGEST_LINE = 16 << 10;
  private static final int MOST_LINES = 200;

  static Head read(InputStream in) throws IOException {
    var head = one(in);
    while (head.status >= 100 && head.status < 200) {
      head = one(in);
    }
    return head;
  }

  boolean chunked() {
    return headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
  }

  boolean closes() {
    return headers.getOrDefault("connection", "").equalsIgnoreCase("close");
  }

  /** Bytes of the body; below 0 when it ends with the connection. */
  long length() throws IOException {
    if (status == 204 || status == 304) {
      return 0;
    }
    var length = headers.get("content-length");
    try {
      return length == null ? -1 : Long.parseUnsignedLong(length);
    } catch (NumberFormatException e) {
      throw new IOException("the answer is not HTTP: a length of \"" + length + "\"", e);
    }
  }

  /** A line without its end. */
  static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection was lost in the middle of an answer");
      }
      if (line.length() > LONGEST_LINE) {
        throw new IOException("the answer is not HTTP: a line without end");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  private static Head one(InputStream in) throws IOException {
    var first = line(in);
    if (!first.matches("HTTP/1\\.[01] \\d{3}.*")) {
      throw new IOException("the answer is not HTTP/1.1");
    }
    var headers = new HashMap<String, String>();
    int lines = 0;
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 1 || ++lines > MOST_LINES) {
        throw new IOException("the answer is not HTTP: its headers");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Head(Integer.parseInt(first.substring(9, 12)), headers);
  }
}
