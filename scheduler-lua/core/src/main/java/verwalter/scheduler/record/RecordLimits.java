package verwalter.scheduler.record;

/**
 * How much is kept; the oldest go first, and the newest stays whatever its size.
 *
 * @param runs how many runs at most
 * @param bytes how many bytes of files at most, code included
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
