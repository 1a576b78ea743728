package verwalter.artifacts;

import java.nio.file.Path;

/**
 * A complete archive on the disk of this machine.
 *
 * @param digest of its bytes
 * @param path a read-only file
 * @param bytes its size
 */
public record Blob(Digest digest, Path path, long bytes) {}
