package verwalter.agent;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import verwalter.model.Artifact;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Query;

/**
 * The nodes that have an archive, as their objects at the leader say. Many nodes may ask at once,
 * so an answer is kept for a moment. Thread-safe.
 */
final class ArchiveHolders {
  /** How many nodes an answer names. */
  static final int MOST = 16;

  /** How long an answer is kept. */
  private static final Duration KEPT = Duration.ofSeconds(1);

  /** The number of answers that are kept. */
  private static final int MOST_KEPT = 256;

  private record Answer(List<String> nodes, Instant at) {}

  private final ObjectStore everything;
  private final InstantSource clock;
  private final DoubleSupplier chance;

  private final Map<String, Answer> answers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answer> eldest) {
          return size() > MOST_KEPT;
        }
      }; // guarded by this

  /**
   * @param everything the objects of all nodes
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
   */
  ArchiveHolders(ObjectStore everything, InstantSource clock, DoubleSupplier chance) {
    this.everything = everything;
    this.clock = clock;
    this.chance = chance;
  }

  /** Some nodes that have the archive, chosen by chance. */
  List<String> of(String digest) {
    return some(all(digest), MOST, chance);
  }

  private synchronized List<String> all(String digest) {
    var now = clock.instant();
    var known = answers.get(digest);
    if (known != null && now.isBefore(known.at().plus(KEPT)) && !now.isBefore(known.at())) {
      return known.nodes();
    }
    var nodes =
        everything.list(Artifact.KIND, Query.ALL).items().stream()
            .filter(it -> it.spec().digest().equals(digest) && !it.meta().deleting())
            .filter(it -> it.status().filter(ArchiveHolders::isComplete).isPresent())
            .map(it -> it.spec().node())
            .toList();
    answers.remove(digest);
    answers.put(digest, new Answer(nodes, now));
    return nodes;
  }

  private static boolean isComplete(Artifact.Status status) {
    return status.state() == Artifact.State.VERIFIED;
  }

  /** At most so many elements, in random order. */
  static <V> List<V> some(List<V> all, int most, DoubleSupplier chance) {
    var left = new ArrayList<>(all);
    var chosen = new ArrayList<V>();
    while (!left.isEmpty() && chosen.size() < most) {
      int index = (int) (chance.getAsDouble() * left.size());
      chosen.add(left.get(index));
      left.set(index, left.get(left.size() - 1));
      left.remove(left.size() - 1);
    }
    return List.copyOf(chosen);
  }
}
