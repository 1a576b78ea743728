package verwalter.stores.local;

import verwalter.stores.engine.Sink;

/** Writes frames: {@code int length | int crc32c of the body | body}. {@link Frames} reads them. */
final class Framing {
  /** The size of the bytes before a body. */
  static final int HEAD = 8;

  /** Begins a frame and returns its offset. */
  static int begin(Sink sink) {
    int begin = sink.size();
    sink.number(0L);
    return begin;
  }

  /** Ends the frame that began at the offset. */
  static void end(Sink sink, int begin) {
    var body = sink.from(begin + HEAD);
    sink.numberAt(begin, body.remaining());
    sink.numberAt(begin + Integer.BYTES, Frames.crc(body));
  }

  private Framing() {}
}
