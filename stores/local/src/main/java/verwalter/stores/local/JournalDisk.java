package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One directory of a disk, as the journal uses it. What is written to a file lasts through a crash
 * once the file was forced; what was created, renamed or deleted lasts once the directory was.
 */
interface JournalDisk {
  /** The names of all files, in no order. */
  List<String> list() throws IOException;

  /** Reads a file from its beginning. */
  InputStream read(String name) throws IOException;

  /** A new, empty file; an old one of that name is gone. */
  Appender create(String name) throws IOException;

  /** A file that is there, to be continued at its end. */
  Appender append(String name) throws IOException;

  /** Makes a file shorter; it lasts when this returns. */
  void truncate(String name, long size) throws IOException;

  /** Gives a file another name, in one step, in place of whatever bore it. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Forces the directory: what was created, renamed and deleted lasts. */
  void force() throws IOException;

  /**
   * Keeps every other process out until closed.
   *
   * @throws StoreInUse if somebody else does so
   */
  Closeable lock() throws IOException;

  /** What people call the directory. */
  @Override
  String toString();

  /** A file that only grows. */
  interface Appender extends Closeable {
    /** Writes everything that remains of {@code bytes} behind the end. */
    void write(ByteBuffer bytes) throws IOException;

    /** Forces what was written: it lasts. */
    void force() throws IOException;

    /** Cuts off what is behind {@code size}, and goes on there; it lasts when this returns. */
    void takeBack(long size) throws IOException;
  }
}
