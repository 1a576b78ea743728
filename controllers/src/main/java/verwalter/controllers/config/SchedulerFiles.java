package verwalter.controllers.config;

/** Reads the scheduler's files of the configuration directory. */
@FunctionalInterface
public interface SchedulerFiles {
  /** Reads the files. Blocks on disk I/O. */
  Packed read();

  /**
   * The files of a scheduler.
   *
   * @param hash their hash
   * @param bytes the compressed files
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  record Packed(String hash, byte[] bytes) {}
}
