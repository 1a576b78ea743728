package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A directory of a disk. Written bytes are durable after the file was forced. Created, renamed and
 * deleted files are durable after the directory was forced.
 */
public interface JournalDisk {
  /** The names of all files in any order. */
  List<String> list() throws IOException;

  /**
   * Reads a file from its beginning.
   *
   * @throws StoreCorrupt if it is not a regular file
   */
  InputStream read(String name) throws IOException;

  /** Creates an empty file and replaces an existing one. */
  Appender create(String name) throws IOException;

  /** Opens an existing file for appending. */
  Appender append(String name) throws IOException;

  /** Truncates a file durably. */
  void truncate(String name, long size) throws IOException;

  /** Renames a file atomically and replaces an existing one. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Forces the directory, which makes created, renamed and deleted files durable. */
  void force() throws IOException;

  /**
   * Locks the directory until closed.
   *
   * @throws StoreInUse if it is locked already
   */
  Closeable lock() throws IOException;

  /** The name of the directory for messages. */
  @Override
  String toString();

  /** A file to write. */
  interface Appender extends Closeable {
    /** Appends the remaining bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Forces the written bytes, which makes them durable. */
    void force() throws IOException;

    /** Overwrites the beginning of the file with bytes of the same length as before. */
    void overwrite(ByteBuffer bytes) throws IOException;

    /** Truncates the file durably to {@code size}. Later writes continue there. */
    void takeBack(long size) throws IOException;
  }
}
