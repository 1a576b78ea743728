package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.Path;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * Keeps a reserve of a disk free, before and while bytes are written. Used by one thread at a time.
 */
final class SpaceGuard {
  /** The space is asked for again after so many bytes. */
  private static final long STEP = 8L << 20;

  private final FreeSpace space;
  private final Path directory;
  private final long reserve;
  private final String action;
  private final Object place;
  private long unchecked = STEP;

  SpaceGuard(FreeSpace space, Path directory, long reserve, String action, Object place) {
    this.space = space;
    this.directory = directory;
    this.reserve = reserve;
    this.action = action;
    this.place = place;
  }

  /** Checks that so many bytes more fit. */
  void require(long bytes) throws ArtifactException {
    long free;
    try {
      free = space.in(directory);
    } catch (IOException failed) {
      throw ArtifactException.of(failed, action, place);
    }
    if (free - reserve < bytes) {
      throw new ArtifactException(
          Reason.NO_SPACE,
          action,
          place,
          "%d bytes are needed, and a reserve of %d; %s has %d bytes free"
              .formatted(bytes, reserve, directory, free));
    }
  }

  /** Is called before so many bytes are written. */
  void writing(long bytes) throws ArtifactException {
    unchecked += bytes;
    if (unchecked >= STEP) {
      unchecked = 0;
      require(bytes);
    }
  }
}
