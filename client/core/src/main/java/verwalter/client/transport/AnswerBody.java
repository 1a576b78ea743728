package verwalter.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.client.transport.AnswerHead.LineBudget;

/** The body of an answer, read in pieces from a connection that may be reused. */
final class AnswerBody {
  private static final int MAX_CHUNK_LINE = 1 << 10;
  private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");
  private static final long UNTIL_CLOSED = Long.MAX_VALUE;

  private final InputStream in;
  private final boolean chunked;
  private final byte[] buffer = new byte[Transport.MAX_PIECE];
  private long left;
  private boolean ended;

  AnswerBody(InputStream in, AnswerHead head) throws ProtocolException {
    this.in = in;
    this.chunked = head.chunked() && head.status() != 204 && head.status() != 304;
    long length = head.length();
    this.left = chunked ? 0 : length < 0 ? UNTIL_CLOSED : length;
    this.ended = left == 0 && !chunked;
  }

  /** Whether the connection can be reused after this body. */
  boolean isDelimited() {
    return left != UNTIL_CLOSED;
  }

  /**
   * Reads the next bytes, at most {@link Transport#MAX_PIECE}; null at the end.
   *
   * @throws EOFException if the connection ends before the body
   */
  byte @Nullable [] next() throws IOException {
    if (!ended && chunked && left == 0) {
      nextChunk();
    }
    if (ended) {
      return null;
    }
    int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
    if (count < 0) {
      if (left != UNTIL_CLOSED) {
        throw new EOFException("the connection was lost in the middle of an answer");
      }
      ended = true;
      return null;
    }
    left -= left == UNTIL_CLOSED ? 0 : count;
    if (left == 0) {
      if (chunked) {
        endOfChunk();
      } else {
        ended = true;
      }
    }
    return Arrays.copyOf(buffer, count);
  }

  private void nextChunk() throws IOException {
    var line = new LineBudget(MAX_CHUNK_LINE).line(in);
    int extension = line.indexOf(';');
    var size = (extension < 0 ? line : line.substring(0, extension)).strip();
    if (!SIZE.matcher(size).matches()) {
      throw new ProtocolException("the answer is not HTTP: a chunk of size \"" + size + "\"");
    }
    left = Long.parseLong(size, 16);
    if (left == 0) {
      var trailers = new LineBudget(Transport.MAX_HEAD);
      while (!trailers.line(in).isEmpty()) {
        // trailers are not used
      }
      ended = true;
    }
  }

  private void endOfChunk() throws IOException {
    if (!new LineBudget(2).line(in).isEmpty()) {
      throw new ProtocolException("the answer is not HTTP: a chunk is longer than its size");
    }
  }
}
