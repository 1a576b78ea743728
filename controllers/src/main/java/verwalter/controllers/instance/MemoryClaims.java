package verwalter.controllers.instance;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Decides whose memory is reserved next. Nobody passes an instance that waits longer, so that none
 * waits for ever because of smaller ones. An instance that needs more than there is does not block
 * the others. Pure.
 *
 * @param capacity bytes that may be reserved in all; empty if there is no limit
 * @param claims one for each instance of the node that has memory or waits for it
 */
record MemoryClaims(OptionalLong capacity, List<MemoryClaim> claims) {
  /** How many instances a message names. */
  private static final int MOST_NAMED = 5;

  private static final long MEBIBYTE = 1 << 20;

  private static final Map<String, Long> SIZES =
      Map.of("GB", 1_000_000_000L, "GiB", 1L << 30, "MB", 1_000_000L, "MiB", MEBIBYTE);

  MemoryClaims {
    claims = List.copyOf(claims);
  }

  /**
   * Why no memory can be reserved for an instance now: one line of text that names the instances
   * that have it. Empty if it can.
   */
  Optional<String> refusal(String instance) {
    if (capacity.isEmpty()) {
      return Optional.empty();
    }
    long free = capacity.getAsLong() - reserved();
    var waiting =
        claims.stream().filter(claim -> claim.missing() > 0).sorted(MemoryClaim.ORDER).toList();
    for (var claim : waiting) {
      boolean its = claim.instance().equals(instance);
      if (claim.needed() > capacity.getAsLong()) {
        if (its) {
          return Optional.of(tooLarge(claim));
        }
      } else if (claim.missing() <= free) {
        if (its) {
          return Optional.empty();
        }
        free -= claim.missing();
      } else {
        return Optional.of(its ? missing(claim, free) : behind(instance, claim));
      }
    }
    return Optional.empty();
  }

  private long reserved() {
    // A sum of what administrators write may have no number.
    return claims.stream().mapToLong(MemoryClaim::reserved).reduce(0, MemoryClaims::sum);
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private String tooLarge(MemoryClaim claim) {
    return "it needs %s of memory, and this node may reserve %s in all"
        .formatted(text(claim.needed()), text(capacity.orElse(0)));
  }

  private String missing(MemoryClaim claim, long free) {
    return "%s of memory are missing: it needs %s%s"
        .formatted(
            text(claim.missing() - Math.max(0, free)),
            text(claim.needed()),
            holders(claim.instance()));
  }

  private String behind(String instance, MemoryClaim first) {
    var its = claims.stream().filter(claim -> claim.instance().equals(instance)).findFirst();
    return "it needs %s of memory, and %s waits longer for %s%s"
        .formatted(
            text(its.map(MemoryClaim::needed).orElse(0L)),
            first.instance(),
            text(first.missing()),
            holders(instance));
  }

  /** Who has the memory, the largest first. */
  private String holders(String but) {
    var holders =
        claims.stream()
            .filter(claim -> claim.reserved() > 0 && !claim.instance().equals(but))
            .sorted(
                Comparator.comparing(MemoryClaim::reserved)
                    .reversed()
                    .thenComparing(MemoryClaim::instance))
            .toList();
    var named =
        holders.stream()
            .limit(MOST_NAMED)
            .map(claim -> claim.instance() + " has " + text(claim.reserved()))
            .collect(Collectors.joining(", "));
    var more =
        holders.size() > MOST_NAMED
            ? " and %d more have memory".formatted(holders.size() - MOST_NAMED)
            : "";
    return ", of %s for this node%s%s"
        .formatted(text(capacity.orElse(0)), holders.isEmpty() ? "" : "; " + named, more);
  }

  /** The number in the unit in which it is whole. */
  private static String text(long bytes) {
    for (var unit : List.of("GB", "GiB", "MB", "MiB")) {
      long size = SIZES.getOrDefault(unit, 1L);
      if (bytes % size == 0) {
        return bytes / size + " " + unit;
      }
    }
    return (bytes + MEBIBYTE - 1) / MEBIBYTE + " MiB";
  }
}
