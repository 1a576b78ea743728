package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import verwalter.stores.engine.UnknownObject;

/** Takes what the files of a store hold, in one of its formats. */
interface JournalReplay {
  /** What follows stands on the state after that entry. */
  void begin(long index, long version) throws IOException;

  /** A block of a snapshot; true if it was the last. */
  boolean block(ByteBuffer body) throws IOException;

  /**
   * An entry of a log, with its number and that of the last durable one before it.
   *
   * @throws UnknownObject if nothing is known of a kind in it
   * @throws RuntimeException if it makes no sense
   */
  void entry(ByteBuffer body) throws IOException;

  /** The number of the last entry. */
  long index();
}
