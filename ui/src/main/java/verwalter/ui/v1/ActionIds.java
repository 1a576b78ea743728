package verwalter.ui.v1;

import java.time.Instant;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import verwalter.ui.http.Problem;

/**
 * Makes ids of actions: whole decimal numbers that grow with time, as programs of verwalter 0.13
 * expect them. An id is a time in milliseconds, then 12 random bits, so that the two sides of a
 * split do not give the same id to different actions. Ids stay below 2^53 until 2039, and thus
 * exact in programs that keep numbers as doubles. Belongs to the loop.
 */
final class ActionIds {
  /** How many random values follow the time. */
  static final int RANDOM = 1 << 12;

  /** How many actions one second takes. */
  private static final int PER_SECOND = 1_000;

  private final RandomGenerator chance;
  private long last;

  ActionIds(RandomGenerator chance) {
    this.chance = chance;
  }

  /**
   * The next id: larger than every id before.
   *
   * @param taken whether there is an action of that id
   * @throws Problem 429 if this second has given all its ids
   */
  String next(Instant now, Predicate<String> taken) {
    long time = Math.max(now.toEpochMilli(), last + 1);
    if (time - now.toEpochMilli() > PER_SECOND) {
      throw Problem.tooMany(
          "there were %d actions in this second; try again in the next".formatted(PER_SECOND));
    }
    last = time;
    var id = Long.toString(time * RANDOM + chance.nextInt(RANDOM));
    return taken.test(id) ? next(now, taken) : id;
  }
}
