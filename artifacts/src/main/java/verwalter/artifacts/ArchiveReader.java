package verwalter.artifacts;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads an archive from the beginning to the end, with buffers of a fixed size. Malformed archives
 * fail with {@link MalformedArchive}. Used by one thread.
 */
interface ArchiveReader extends Closeable {
  /** The next entry, or empty at the end. What was not read of the previous entry is skipped. */
  Optional<ArchiveEntry> next() throws IOException;

  /** Bytes of the content of the present entry, or -1 at its end. */
  int read(byte[] into, int offset, int length) throws IOException;

  /** Bytes of the archive that have been read. */
  long position() throws IOException;

  /**
   * Bytes of all files together, if the archive says it in advance. Is called before {@link #next},
   * and takes time with each entry.
   */
  OptionalLong announced() throws IOException;

  /** Entries of the archive, if it says it in advance. */
  OptionalLong entries();
}
