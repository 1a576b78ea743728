package verwalter.e2e.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Which machines reach each other, and how long a message between them takes. */
final class Links {
  /** A direction between two machines. */
  private record Direction(String from, String to) {}

  private final RandomGenerator random;
  private final Set<Direction> cut = new HashSet<>();
  private final List<Runnable> listeners = new ArrayList<>();

  /** The longest time that a message takes, in milliseconds. */
  int slowest = 20;

  /** The probability that a message without a connection is lost. */
  double lost;

  Links(RandomGenerator random) {
    this.random = random;
  }

  /** Calls the listener after each change of what can be reached. */
  void watch(Runnable listener) {
    listeners.add(listener);
  }

  private void changed() {
    listeners.forEach(Runnable::run);
  }

  /** Cuts one direction. */
  void cut(String from, String to) {
    if (cut.add(new Direction(from, to))) {
      changed();
    }
  }

  /** Cuts everything between the machines of the side and all others. */
  void split(Set<String> side, Set<String> all) {
    for (var one : side) {
      for (var other : all) {
        if (!side.contains(other)) {
          cut.add(new Direction(one, other));
          cut.add(new Direction(other, one));
        }
      }
    }
    changed();
  }

  /** Ends all cuts. */
  void heal() {
    if (!cut.isEmpty()) {
      cut.clear();
      changed();
    }
  }

  boolean reaches(String from, String to) {
    return cut.isEmpty() || !cut.contains(new Direction(from, to));
  }

  boolean connects(String one, String other) {
    return cut.isEmpty() || (reaches(one, other) && reaches(other, one));
  }

  /** Whether a message without a connection is lost. */
  boolean loses() {
    return lost > 0 && random.nextDouble() < lost;
  }

  /** The time that the next message takes. */
  Duration delay() {
    return Duration.ofMillis(1 + random.nextInt(slowest));
  }
}
