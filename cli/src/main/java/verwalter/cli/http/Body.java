package verwalter.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of one answer on a connection that may carry another after it. */
final class Body extends InputStream {
  private final InputStream in;
  private final boolean chunked;
  private final Runnable atEnd;
  private long left;
  private boolean ended;

  /**
   * @param length bytes to come; below 0 when only the end of the connection ends it
   * @param atEnd run once when all was read
   */
  Body(InputStream in, boolean chunked, long length, Runnable atEnd) {
    this.in = in;
    this.chunked = chunked;
    this.atEnd = atEnd;
    this.left = chunked ? 0 : length < 0 ? Long.MAX_VALUE : length;
    if (!chunked && length == 0) {
      end();
    }
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!ended && chunked && left == 0) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(buffer, offset, (int) Math.min(length, left));
    if (count < 0) {
      return connectionEnded();
    }
    boolean counted = left != Long.MAX_VALUE;
    left -= counted ? count : 0;
    if (left == 0) {
      if (chunked) {
        Head.line(in);
      } else {
        end();
      }
    }
    return count;
  }

  private int connectionEnded() throws EOFException {
    if (left != Long.MAX_VALUE) {
      throw new EOFException("the connection was lost in the middle of an answer");
    }
    ended = true;
    return -1;
  }

  private void nextChunk() throws IOException {
    var size = Head.line(in);
    int extension = size.indexOf(';');
    try {
      left = Long.parseLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
    } catch (NumberFormatException e) {
      throw new IOException("the answer is not HTTP: a chunk of size \"" + size + "\"", e);
    }
    if (left == 0) {
      while (!Head.line(in).isEmpty()) {
        // trailers say nothing to us
      }
      end();
    }
  }

  private void end() {
    ended = true;
    atEnd.run();
  }
}
