package verwalter.artifacts;

/**
 * Limits of an archive. They hold for what is unpacked, so that a small archive cannot fill the
 * disk.
 *
 * @param entries number of entries; each takes about 300 bytes of memory while unpacking
 * @param bytes of all files together; holes of sparse files count
 * @param fileBytes of one file
 * @param depth number of names in a path
 * @param nameBytes of one name, in UTF-8; at most 255
 * @param pathBytes of one path, in UTF-8
 * @param ratio bytes of all files divided by bytes of the archive, checked after 16 MiB
 * @param reserve bytes of the disk that stay free
 */
public record UnpackLimits(
    long entries,
    long bytes,
    long fileBytes,
    int depth,
    int nameBytes,
    int pathBytes,
    int ratio,
    long reserve) {
  /** Limits that ordinary archives do not reach. */
  public static final UnpackLimits DEFAULT =
      new UnpackLimits(200_000, 32L << 30, 16L << 30, 64, 255, 2048, 300, 256L << 20);

  /** The ratio is not checked before so many bytes. */
  static final long RATIO_AFTER = 16L << 20;

  /** Checks that the limits are positive. */
  public UnpackLimits {
    if (entries < 1
        || bytes < 1
        || fileBytes < 1
        || depth < 1
        || nameBytes < 1
        || nameBytes > 255
        || pathBytes < 1
        || ratio < 1
        || reserve < 0) {
      throw new IllegalArgumentException("limits must be positive, and names have 255 bytes");
    }
  }
}
