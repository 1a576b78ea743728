package verwalter.artifacts;

/** Time that passes, for limits of stalls and of bandwidth. Thread-safe. */
public interface Ticks {
  /** Nanoseconds since any fixed moment; never less than before. */
  long nanos();

  /** Waits for so many nanoseconds, at most 50 milliseconds. */
  void sleep(long nanos) throws InterruptedException;
}
