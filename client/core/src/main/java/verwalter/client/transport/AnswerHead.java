package verwalter.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The status line and the headers of an answer, their names in lower case. */
record AnswerHead(int status, Map<String, String> headers) {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-9]\\d{2}( .*)?");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

  /**
   * Reads the head of the final answer; skips interim ones.
   *
   * @throws ProtocolException if it is not HTTP/1.1 or larger than {@link Transport#MAX_HEAD}
   */
  static AnswerHead read(InputStream in) throws IOException {
    var budget = new LineBudget(Transport.MAX_HEAD);
    var head = one(in, budget);
    while (head.status < 200) {
      if (head.status == 101) {
        throw new ProtocolException("the answer is not HTTP: it switches protocols");
      }
      head = one(in, budget);
    }
    return head;
  }

  /** The same for a request to switch protocols: status 101 is the final answer. */
  static AnswerHead readSwitch(InputStream in) throws IOException {
    var budget = new LineBudget(Transport.MAX_HEAD);
    var head = one(in, budget);
    while (head.status < 200 && head.status != 101) {
      head = one(in, budget);
    }
    return head;
  }

  boolean chunked() {
    return headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
  }

  boolean closes() {
    return headers.getOrDefault("connection", "").equalsIgnoreCase("close");
  }

  /** The length of the body in bytes; below 0 when the body ends with the connection. */
  long length() throws ProtocolException {
    if (status == 204 || status == 304) {
      return 0;
    }
    var length = headers.get("content-length");
    if (length == null) {
      return -1;
    }
    if (!DIGITS.matcher(length).matches()) {
      throw new ProtocolException("the answer is not HTTP: a length of \"" + length + "\"");
    }
    return Long.parseLong(length);
  }

  private static AnswerHead one(InputStream in, LineBudget budget) throws IOException {
    var first = budget.line(in);
    if (!STATUS.matcher(first).matches()) {
      throw new ProtocolException("the answer is not HTTP/1.1");
    }
    var headers = new HashMap<String, String>();
    for (var line = budget.line(in); !line.isEmpty(); line = budget.line(in)) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new ProtocolException("the answer is not HTTP: a header without a colon");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new AnswerHead(Integer.parseInt(first.substring(9, 12)), Map.copyOf(headers));
  }

  /** Reads lines until they add up to a number of bytes. */
  static final class LineBudget {
    private int left;

    LineBudget(int bytes) {
      this.left = bytes;
    }

    /** The next line without its end. */
    String line(InputStream in) throws IOException {
      var line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("the connection was lost in the middle of an answer");
        }
        if (--left < 0) {
          throw new ProtocolException("the answer is not HTTP: its head is too large");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      if (--left < 0) {
        throw new ProtocolException("the answer is not HTTP: its head is too large");
      }
      return line.toString();
    }
  }
}
