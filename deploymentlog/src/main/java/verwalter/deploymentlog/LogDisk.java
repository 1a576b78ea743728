package verwalter.deploymentlog;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The directory of the deployment logs. Every file has a directory, one level deep, and a name in
 * it; nobody else writes them.
 */
interface LogDisk {
  /**
   * Adds a text to the end of a file, which is made if it is not there. If the file ends within a
   * line, as after a crash, that line is ended first.
   *
   * @return where in the file the text begins, in bytes
   */
  long append(String directory, String file, String text) throws IOException;

  /** The file that {@code latest} of a directory points to, if there is such a file. */
  Optional<LogFile> latest(String directory) throws IOException;

  /** Lets {@code latest} of a directory point to a file of it, at once. */
  void point(String directory, String file) throws IOException;

  /** Every file that these logs consist of. */
  List<LogFile> files() throws IOException;

  /** The end of a file, of at most so many bytes; its first line may then lack its beginning. */
  String tail(LogFile file, int bytes) throws IOException;

  /** Removes a file, and {@code latest} with it if that points there. */
  void remove(LogFile file) throws IOException;

  /**
   * A file of the logs.
   *
   * @param size in bytes
   * @param written when something was written to it last
   * @param latest whether {@code latest} points to it
   */
  record LogFile(String directory, String name, long size, Instant written, boolean latest) {}
}
