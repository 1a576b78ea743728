package verwalter.scheduler.lua;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the resources that one run uses, and ends the run when the budget is exceeded. Belongs to
 * the thread that runs the program. After it has ended a run, it fails again at every further step,
 * so code that catches the first {@link BudgetExceeded} cannot continue. An interrupt of the thread
 * means that the wall time has elapsed.
 */
public final class Meter {
  private static final int SLICE = 4096;

  private final Budget budget;
  private final Supplier<String> where;
  private final @Nullable LongSupplier allocated;
  private int left;
  private long granted;
  private long bytes;
  private long bytesAtStart;
  private long output;
  private @Nullable String exceeded;

  private Meter(Budget budget, Supplier<String> where, @Nullable LongSupplier allocated) {
    this.budget = budget;
    this.where = where;
    this.allocated = allocated;
  }

  /**
   * A meter that counts every allocation by {@link #allocate}.
   *
   * @param where the current position, as {@code file:line}
   */
  public static Meter counting(Budget budget, Supplier<String> where) {
    return new Meter(budget, where, null);
  }

  /**
   * A meter that also samples the total of allocated bytes.
   *
   * @param where the current position, as {@code file:line}
   * @param allocated bytes that this thread has allocated so far
   */
  public static Meter sampling(Budget budget, Supplier<String> where, LongSupplier allocated) {
    return new Meter(budget, where, allocated);
  }

  /** Starts a run with the full budget. */
  public void begin() {
    granted = 0;
    left = 0;
    bytes = 0;
    output = 0;
    exceeded = null;
    bytesAtStart = allocated == null ? 0 : allocated.getAsLong();
  }

  /** Counts one instruction. */
  public void tick() {
    if (--left < 0) {
      account(0);
    }
  }

  /** Counts many instructions at once, for work whose size is known in advance. */
  public void tick(long instructions) {
    if (instructions < left) {
      left -= (int) instructions;
    } else {
      account(instructions);
    }
  }

  /** Counts bytes that are about to be allocated. */
  public void allocate(long size) {
    bytes += size;
    if (bytes > budget.memory()) {
      exceed("memory", budget.memory() + " bytes");
    }
  }

  /** Counts bytes that are about to be printed. */
  public void print(long size) {
    output += size;
    if (output > budget.outputSize()) {
      exceed("output size", budget.outputSize() + " bytes");
    }
  }

  /** Instructions counted since {@link #begin}. */
  public long instructions() {
    return granted - Math.max(left, 0);
  }

  /** The budget of this meter. */
  public Budget budget() {
    return budget;
  }

  /** The exceeded limit that ended the run, if any. */
  public @Nullable String exceeded() {
    return exceeded;
  }

  /** The text of the Lua error for calls that are nested too deeply. */
  public String tooDeep() {
    return "stack overflow (call depth budget of " + budget.callDepth() + " used up)";
  }

  /** The text of the Lua error for a string that would become too long. */
  public String tooLong() {
    return "string too long (string length budget of " + budget.stringLength() + " bytes used up)";
  }

  private void account(long extra) {
    if (exceeded != null) {
      left = 0;
      throw new BudgetExceeded(exceeded);
    }
    long used = granted - Math.max(left, 0) + extra;
    if (used >= budget.instructions()) {
      granted = used;
      left = 0;
      exceed("instruction", Long.toString(budget.instructions()));
    }
    if (Thread.currentThread().isInterrupted()) {
      exceed("wall time", budget.wallTime().toMillis() + " ms");
    }
    if (allocated != null) {
      bytes = allocated.getAsLong() - bytesAtStart;
      allocate(0);
    }
    left = (int) Math.min(SLICE, budget.instructions() - used);
    granted = used + left;
  }

  private void exceed(String name, String size) {
    left = 0;
    if (exceeded == null) {
      exceeded = where.get() + ": " + name + " budget of " + size + " used up";
    }
    throw new BudgetExceeded(exceeded);
  }
}
