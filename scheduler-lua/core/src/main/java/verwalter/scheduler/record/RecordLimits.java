package verwalter.scheduler.record;

/**
 * The limits of an archive. The oldest records are removed first; the newest is kept whatever its
 * size.
 *
 * @param runs maximum number of runs
 * @param bytes maximum total size of the files, code included
 */
public record RecordLimits(int runs, long bytes) {
  /** 2,000 runs and 256 MiB. */
  public static final RecordLimits DEFAULT = new RecordLimits(2_000, 256L << 20);

  public RecordLimits {
    if (runs < 1 || bytes < 1) {
      throw new IllegalArgumentException("at least one run and one byte must be kept");
    }
  }
}
