package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import verwalter.stores.engine.UnknownObject;

/** Receives the contents of the files of a store in one of its formats. */
interface JournalReplay {
  /** Begins with the state after the entry {@code index}. */
  void begin(long index, long version) throws IOException;

  /** Receives a block of a snapshot. Returns true if it was the last one. */
  boolean block(ByteBuffer body) throws IOException;

  /**
   * Receives an entry of a log with its number and the number of the last durable entry before it.
   *
   * @throws UnknownObject if it contains an unknown kind
   * @throws RuntimeException if it is invalid
   */
  void entry(ByteBuffer body) throws IOException;

  /** The number of the last entry. */
  long index();
}
