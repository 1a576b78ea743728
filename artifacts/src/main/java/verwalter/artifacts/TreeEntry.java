package verwalter.artifacts;

import java.util.Optional;

/**
 * A file, directory or link of a release, as its manifest lists it.
 *
 * @param path relative to the directory of the files
 * @param type FILE, DIRECTORY or SYMBOLIC_LINK
 * @param mode permissions, such as 0444; 0777 for links
 * @param bytes size of a file, otherwise 0
 * @param digest SHA-256 of a file's content
 * @param target of a link, otherwise empty
 */
record TreeEntry(
    String path,
    ArchiveEntry.Type type,
    int mode,
    long bytes,
    Optional<Digest> digest,
    String target) {
  static TreeEntry file(String path, boolean executable, long bytes, Digest digest) {
    int mode = executable ? 0555 : 0444;
    return new TreeEntry(path, ArchiveEntry.Type.FILE, mode, bytes, Optional.of(digest), "");
  }

  static TreeEntry directory(String path) {
    return new TreeEntry(path, ArchiveEntry.Type.DIRECTORY, 0555, 0, Optional.empty(), "");
  }

  static TreeEntry link(String path, String target) {
    return new TreeEntry(path, ArchiveEntry.Type.SYMBOLIC_LINK, 0777, 0, Optional.empty(), target);
  }
}
