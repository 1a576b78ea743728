package verwalter.artifacts;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides what to delete of the items that nobody names: those that are older than an age, and
 * then, while all items together have too many bytes, the oldest. A named item is never chosen, nor
 * one that was named a short while ago.
 *
 * @param atLeast items that were named within this time stay
 * @param atMost items that were not named for this time are deleted
 * @param bytes of all items together
 */
public record UnusedItems(Duration atLeast, Duration atMost, long bytes) {
  /** One hour, one week, 20 GiB. */
  public static final UnusedItems DEFAULT =
      new UnusedItems(Duration.ofHours(1), Duration.ofDays(7), 20L << 30);

  /** Checks the limits. */
  public UnusedItems {
    if (atLeast.isNegative() || atMost.compareTo(atLeast) < 0 || bytes < 0) {
      throw new IllegalArgumentException("limits of unused items must grow from 0");
    }
  }

  /**
   * Chooses the items to delete, the oldest first. Items from the future, by this clock, stay.
   *
   * @param stored all items, also the named ones
   */
  public List<StoredItem> choose(List<StoredItem> stored, Instant now) {
    var unused =
        stored.stream()
            .filter(it -> !it.isNamed() && !it.lastNamed().isAfter(now.minus(atLeast)))
            .sorted(
                Comparator.comparing(StoredItem::lastNamed)
                    .thenComparing(StoredItem::kind)
                    .thenComparing(StoredItem::name))
            .toList();
    long total = stored.stream().mapToLong(StoredItem::bytes).sum();
    var chosen = new ArrayList<StoredItem>();
    for (var it : unused) {
      boolean isOld = !it.lastNamed().isAfter(now.minus(atMost));
      if (isOld || total > bytes) {
        chosen.add(it);
        total -= it.bytes();
      }
    }
    return List.copyOf(chosen);
  }
}
