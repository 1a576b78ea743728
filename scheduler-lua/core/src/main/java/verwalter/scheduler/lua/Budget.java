package verwalter.scheduler.lua;

import java.time.Duration;

/**
 * The limits of one run of a Lua program: loading it is one run, each decision another. A run that
 * exceeds a limit fails with a message that names the limit, its size, and the file and line. Lua
 * code can catch the errors of {@link #callDepth} and {@link #stringLength}, as in PUC Lua, but
 * none of the others.
 *
 * @param instructions steps of the engine: virtual machine instructions, or iterations and calls,
 *     plus the steps of pattern matching, sorting and copying
 * @param wallTime the time that a run may take
 * @param memory bytes allocated during a run, garbage included; keep it below half of the heap
 * @param callDepth nested calls of functions
 * @param stringLength bytes of one string
 * @param outputSize bytes of the schedule's text and of the log, each
 */
public record Budget(
    long instructions,
    Duration wallTime,
    long memory,
    int callDepth,
    int stringLength,
    int outputSize) {

  /** 200 million instructions, 10 s, 512 MiB, 20 000 calls, 32 MiB strings, 16 MiB of output. */
  public static final Budget DEFAULT =
      new Budget(200_000_000, Duration.ofSeconds(10), 512L << 20, 20_000, 32 << 20, 16 << 20);

  public Budget {
    if (instructions <= 0
        || wallTime.isNegative()
        || wallTime.isZero()
        || memory <= 0
        || callDepth <= 0
        || stringLength <= 0
        || outputSize <= 0) {
      throw new IllegalArgumentException("every limit of a budget must be positive");
    }
  }

  /** The same budget with another number of instructions. */
  public Budget withInstructions(long limit) {
    return new Budget(limit, wallTime, memory, callDepth, stringLength, outputSize);
  }

  /** The same budget with another wall time. */
  public Budget withWallTime(Duration limit) {
    return new Budget(instructions, limit, memory, callDepth, stringLength, outputSize);
  }

  /** The same budget with another number of allocated bytes. */
  public Budget withMemory(long limit) {
    return new Budget(instructions, wallTime, limit, callDepth, stringLength, outputSize);
  }

  /** The same budget with another depth of calls. */
  public Budget withCallDepth(int limit) {
    return new Budget(instructions, wallTime, memory, limit, stringLength, outputSize);
  }

  /** The same budget with another length of strings, in bytes. */
  public Budget withStringLength(int limit) {
    return new Budget(instructions, wallTime, memory, callDepth, limit, outputSize);
  }

  /** The same budget with another size of output, in bytes. */
  public Budget withOutputSize(int limit) {
    return new Budget(instructions, wallTime, memory, callDepth, stringLength, limit);
  }
}
