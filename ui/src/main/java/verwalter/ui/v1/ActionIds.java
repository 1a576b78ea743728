package verwalter.ui.v1;

import java.time.Instant;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import verwalter.ui.http.RequestProblem;

/**
 * Makes ids of actions: whole decimal numbers that grow with time, as programs for verwalter 0.13
 * expect. An id is a time in milliseconds followed by 12 random bits, so that both sides of a
 * network partition give different ids to different actions. Ids stay below 2^53 until 2039, so
 * that programs which store numbers as doubles keep them exactly. Belongs to the loop.
 */
final class ActionIds {
  /** The number of random values for one millisecond. */
  static final int RANDOM = 1 << 12;

  /** The maximum number of actions in one second. */
  private static final int PER_SECOND = 1_000;

  private final RandomGenerator chance;
  private long last;

  ActionIds(RandomGenerator chance) {
    this.chance = chance;
  }

  /**
   * The next id, larger than every id before.
   *
   * @param taken whether an action with the id exists
   * @throws RequestProblem 429 if this second has used up its ids
   */
  String next(Instant now, Predicate<String> taken) {
    long time = Math.max(now.toEpochMilli(), last + 1);
    if (time - now.toEpochMilli() > PER_SECOND) {
      throw RequestProblem.tooMany(
          "there were %d actions in this second; try again in the next".formatted(PER_SECOND));
    }
    last = time;
    var id = Long.toString(time * RANDOM + chance.nextInt(RANDOM));
    return taken.test(id) ? next(now, taken) : id;
  }
}
