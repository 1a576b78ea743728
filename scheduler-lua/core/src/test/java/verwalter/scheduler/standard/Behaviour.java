package verwalter.scheduler.standard;

import java.util.Random;

/**
 * How the processes of one content of a file behave.
 *
 * @param starting the time from the start of a process until it is ready
 * @param stopping the time from the request to stop until a process has ended
 * @param fault what is wrong with it
 */
record Behaviour(long starting, long stopping, Fault fault) {
  /** What is wrong with a program. */
  enum Fault {
    NONE,
    /** It ends again and again. */
    CRASHES,
    /** It runs and is never ready. */
    NEVER_READY
  }

  static Behaviour good(Random random) {
    return new Behaviour(
        random.nextInt(9) * 1_000L, random.nextInt(4) * (random.nextInt(6) * 2_000L), Fault.NONE);
  }

  static Behaviour random(Random random) {
    var good = good(random);
    var fault =
        random.nextInt(4) > 0
            ? Fault.NONE
            : random.nextBoolean() ? Fault.CRASHES : Fault.NEVER_READY;
    return new Behaviour(good.starting, good.stopping, fault);
  }

  boolean isGood() {
    return fault == Fault.NONE;
  }
}
