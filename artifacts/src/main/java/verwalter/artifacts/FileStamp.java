package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * What differs after a file was changed or replaced.
 *
 * @param key of the file in its file system
 * @param bytes size of the file
 * @param modified time of the last change of its content
 */
record FileStamp(String key, long bytes, FileTime modified) {
  /** The state of the file that the path leads to. */
  static FileStamp of(Path file) throws IOException {
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(
        String.valueOf(attributes.fileKey()), attributes.size(), attributes.lastModifiedTime());
  }
}
