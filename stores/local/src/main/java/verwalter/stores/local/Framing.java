package verwalter.stores.local;

import verwalter.stores.engine.Sink;

/** Writes frames: {@code int length | int crc32c of the body | body}. {@link Frames} reads them. */
final class Framing {
  /** What comes before a body, in bytes. */
  static final int HEAD = 8;

  /** Begins a frame and gives where. */
  static int begin(Sink sink) {
    int begin = sink.size();
    sink.number(0L);
    return begin;
  }

  /** Ends the frame that began there. */
  static void end(Sink sink, int begin) {
    var body = sink.from(begin + HEAD);
    sink.numberAt(begin, body.remaining());
    sink.numberAt(begin + Integer.BYTES, Frames.crc(body));
  }

  private Framing() {}
}
