package verwalter.deploymentlog;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The directory of the deployment logs. Every file has a directory, one level deep, and a name in
 * it. No other component writes them.
 */
interface LogDisk {
  /**
   * Appends a text to a file, which is created if needed. If the file does not end with a line end,
   * as after a crash, a line end is added first.
   *
   * @return the offset of the text in the file, in bytes
   */
  long append(String directory, String file, String text) throws IOException;

  /** The file that {@code latest} of a directory points to, if there is such a file. */
  Optional<LogFile> latest(String directory) throws IOException;

  /** Atomically points {@code latest} of a directory to a file in it. */
  void point(String directory, String file) throws IOException;

  /** All log files. */
  List<LogFile> files() throws IOException;

  /** The end of a file of at most {@code bytes} bytes. The first line may be incomplete. */
  String tail(LogFile file, int bytes) throws IOException;

  /** Removes a file, and {@code latest} if it points to it. */
  void remove(LogFile file) throws IOException;

  /**
   * A file of the logs.
   *
   * @param size size in bytes
   * @param written time of the last write
   * @param latest whether {@code latest} points to it
   */
  record LogFile(String directory, String name, long size, Instant written, boolean latest) {}
}
