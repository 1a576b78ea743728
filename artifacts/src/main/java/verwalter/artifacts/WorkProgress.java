package verwalter.artifacts;

import java.util.OptionalLong;

/** Receives the progress of a download or of unpacking, on the thread that works. Must be quick. */
@FunctionalInterface
public interface WorkProgress {
  /** Ignores the progress. */
  WorkProgress NONE = (done, total, entries) -> {};

  /**
   * Is called after each buffer.
   *
   * @param done bytes of the archive that have been downloaded or unpacked
   * @param total bytes of the archive; empty if the server has not said it
   * @param entries entries of the archive that have been unpacked; 0 during a download
   */
  void at(long done, OptionalLong total, long entries);
}
