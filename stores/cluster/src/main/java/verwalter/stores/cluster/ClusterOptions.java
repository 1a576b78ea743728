package verwalter.stores.cluster;

import java.time.Duration;
import verwalter.stores.local.Options;

/**
 * How a {@link ClusterStore} uses its memory, its disk and the log.
 *
 * @param store the limits of the memory and of the files of the copy
 * @param retention how much of the log is kept
 * @param patience the time after which a write without an answer of the log fails
 */
public record ClusterOptions(Options store, LogRetention retention, Duration patience) {
  /** The default options, with a patience of 10 s. */
  public static final ClusterOptions DEFAULT =
      new ClusterOptions(Options.DEFAULT, LogRetention.DEFAULT, Duration.ofSeconds(10));

  /** Returns a copy with other limits of memory and files. */
  public ClusterOptions with(Options other) {
    return new ClusterOptions(other, retention, patience);
  }
}
