package verwalter.controllers.deployment;

import java.util.Optional;

/**
 * A part of an archive.
 *
 * @param done bytes
 * @param total bytes of the archive; empty while they are unknown
 */
public record ByteProgress(long done, Optional<Long> total) {
  /** Nothing is done. */
  public static final ByteProgress NONE = new ByteProgress(0, Optional.empty());

  /** Everything is done. */
  static ByteProgress all(long total) {
    return new ByteProgress(total, Optional.of(total));
  }
}
