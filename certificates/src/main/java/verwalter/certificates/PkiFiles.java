package verwalter.certificates;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Small secret files. Each write is atomic and durable: after a crash a file has its old or its new
 * content.
 */
public interface PkiFiles {
  /** The content of a file, if it exists. */
  Optional<String> read(String name) throws IOException;

  /** A value that changes with the file, and costs less than reading it. */
  Object stamp(String name) throws IOException;

  void write(String name, String content) throws IOException;

  /** Deletes a file if it exists. */
  void delete(String name) throws IOException;

  /** For messages: where a file is. */
  String place(String name);

  /**
   * The files in a directory, which is created if it does not exist. Only the user of this process
   * has access to it, whatever the umask.
   */
  static PkiFiles in(Path directory) throws IOException {
    return PrivateFiles.open(directory);
  }
}
