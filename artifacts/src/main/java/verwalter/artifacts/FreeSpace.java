package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Says how much space a disk has. */
@FunctionalInterface
public interface FreeSpace {
  /** Asks the file system. */
  FreeSpace OF_DISK = directory -> Files.getFileStore(directory).getUsableSpace();

  /** Bytes that this user may still write into an existing directory. */
  long in(Path directory) throws IOException;
}
