package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Comparator;

/**
 * The memory of an instance: what is reserved for it, and what it needs.
 *
 * @param instance its name
 * @param reserved bytes
 * @param needed bytes; not more than {@code reserved} unless it waits for memory
 * @param ran whether it had processes before the machine was started
 * @param since when it began to wait
 */
record MemoryClaim(String instance, long reserved, long needed, boolean ran, Instant since) {
  /** What ran before is first, then what waits longest. */
  static final Comparator<MemoryClaim> ORDER =
      Comparator.comparing((MemoryClaim claim) -> !claim.ran())
          .thenComparing(MemoryClaim::since)
          .thenComparing(MemoryClaim::instance);

  /** Bytes that are not reserved yet. */
  long missing() {
    return Math.max(0, needed - reserved);
  }
}
