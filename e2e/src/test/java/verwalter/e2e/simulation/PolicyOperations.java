package verwalter.e2e.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/** The policies of the versions of a {@link ReleaseSimulation}, and the memory of its machines. */
final class PolicyOperations {
  /** How long the start of a version is delayed at most. */
  static final Duration DELAY = Duration.ofSeconds(60);

  private static final long GB = 1_000_000_000;

  /** What a machine may reserve. Two roles that need most of it cannot run at the same time. */
  private static final long CAPACITY = 3 * GB;

  private static final List<Map<String, Object>> UPDATES =
      List.of(
          Map.of("on-failure", "revert"),
          Map.of("on-failure", "revert"),
          Map.of("on-failure", "revert", "changes", "staged"),
          Map.of("prepare", "verify"),
          Map.of("prepare", "verify"),
          Map.of("prepare", "verify", "changes", "staged"),
          Map.of("changes", "staged"));

  private final Random random;

  /** Whether starts wait for memory. */
  private final boolean reserves;

  /** The gigabytes of each version of each role; a version that runs never needs more. */
  private final Map<String, Integer> needs = new HashMap<>();

  PolicyOperations(Random random) {
    this.random = random;
    this.reserves = random.nextInt(3) == 0;
  }

  /** Bytes that the instances of a machine may reserve. */
  OptionalLong reservable() {
    return reserves ? OptionalLong.of(CAPACITY) : OptionalLong.empty();
  }

  /** Bytes that a version of a role needs. */
  long memory(String role, String version) {
    return GB * needs.getOrDefault(role + " " + version, 0);
  }

  /** The version with random policies, or without any. */
  Wanted give(String role, Wanted wanted) {
    var updated = random.nextBoolean() ? wanted : wanted.with("update", update());
    return updated.with("start", start(role, wanted.version()));
  }

  /** Another way of updating, or none. */
  Map<String, Object> update() {
    return random.nextInt(4) == 0 ? Map.of() : UPDATES.get(random.nextInt(UPDATES.size()));
  }

  private Map<String, Object> start(String role, String version) {
    var start = new HashMap<String, Object>();
    if (random.nextInt(6) == 0) {
      start.put("delay", 1 + random.nextInt((int) DELAY.toSeconds()) + "s");
    }
    if (reserves) {
      int gigabytes = needs.computeIfAbsent(role + " " + version, any -> random.nextInt(3));
      if (gigabytes > 0) {
        start.put("memory", gigabytes + "GB");
      }
    }
    return start;
  }

  /** Whether the machines have memory for all of these at once. */
  boolean fit(Map<String, Wanted> roles) {
    long sum = 0;
    for (var role : roles.entrySet()) {
      sum += memory(role.getKey(), role.getValue().version());
    }
    return sum <= CAPACITY;
  }
}
