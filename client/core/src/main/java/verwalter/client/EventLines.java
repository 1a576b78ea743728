package verwalter.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Splits the body of a watch into events: one line of JSON each. */
public final class EventLines {
  /** The longest event that a server may send unless its client sets another limit, in bytes. */
  public static final int MAX_EVENT = 64 << 20;

  private final int limit;
  private ByteArrayOutputStream line = new ByteArrayOutputStream();

  /**
   * @param limit the longest event in bytes
   */
  public EventLines(int limit) {
    this.limit = limit;
  }

  /**
   * Adds a piece of the body and returns the completed events. Empty lines are skipped.
   *
   * @throws IOException if an event is longer than the limit
   */
  public List<byte[]> add(byte[] piece) throws IOException {
    var events = new ArrayList<byte[]>();
    int start = 0;
    for (int i = 0; i < piece.length; i++) {
      if (piece[i] == '\n') {
        append(piece, start, i);
        start = i + 1;
        if (line.size() > 0) {
          events.add(line.toByteArray());
          line = new ByteArrayOutputStream();
        }
      }
    }
    append(piece, start, piece.length);
    return events;
  }

  private void append(byte[] piece, int from, int to) throws IOException {
    if (line.size() + (to - from) > limit) {
      throw new IOException("an event of the watch is longer than " + limit + " bytes");
    }
    line.write(piece, from, to - from);
  }
}
