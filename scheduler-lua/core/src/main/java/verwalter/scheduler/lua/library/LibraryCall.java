package verwalter.scheduler.lua.library;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.text.Numerals;

/**
 * A call of a library function: its arguments, counted from 1 and checked as Lua's own libraries
 * do, and the limits of the program. An invalid argument is an error of the Lua program.
 */
public abstract class LibraryCall {
  private final String function;

  /** A call of a function, with its name for messages if the source has no other. */
  protected LibraryCall(String function) {
    this.function = function;
  }

  /** The number of arguments. */
  public abstract int count();

  /** Whether an argument is nil or missing. */
  public abstract boolean absent(int index);

  /** A string of bytes; numbers are converted. */
  public abstract String text(int index);

  /** The result of {@code tostring} for an argument, which must not be missing. */
  public abstract String tostring(int index);

  /** A {@code Long} or {@code Double}, or null if it is neither a number nor a numeric string. */
  protected abstract @Nullable Number numberOrNull(int index);

  /** The type of an argument, as messages write it. */
  protected abstract String typeName(int index);

  /** The function's name in the source. */
  protected abstract @Nullable Name called();

  /** An error of the function, with the position of the Lua function that called it. */
  public abstract RuntimeException error(String message);

  /** Counts the resources that the run uses. */
  public abstract Meter meter();

  /** Checks the length of a new string, and counts the cost of making it. */
  public abstract void reserve(long length);

  /** The name of the function in messages if the source has none. */
  protected final String function() {
    return function;
  }

  /** A string of bytes, or {@code otherwise} if it is absent. */
  public final String text(int index, String otherwise) {
    return absent(index) ? otherwise : text(index);
  }

  /** A {@code Long} or {@code Double}; numeric strings are converted. */
  public final Number number(int index) {
    var number = numberOrNull(index);
    if (number == null) {
      throw wrong(index, "number");
    }
    return number;
  }

  /** A number as a float. */
  public final double real(int index) {
    return number(index).doubleValue();
  }

  /** An integer; floats without a fraction are converted. */
  public final long integer(int index) {
    var number = number(index);
    if (number instanceof Long whole) {
      return whole;
    }
    var exact = Numerals.exact(number.doubleValue());
    if (exact == null) {
      throw bad(index, "number has no integer representation");
    }
    return exact;
  }

  /** An integer, or {@code otherwise} if it is absent. */
  public final long integer(int index, long otherwise) {
    return absent(index) ? otherwise : integer(index);
  }

  /** Fails if an argument is missing. */
  protected final void need(int index) {
    if (index > count()) {
      throw bad(index, "value expected");
    }
  }

  /** The error for an argument of the wrong type. */
  protected final RuntimeException wrong(int index, String expected) {
    var got = index > count() ? "no value" : typeName(index);
    return bad(index, expected + " expected, got " + got);
  }

  /** The error for an invalid argument. */
  public final RuntimeException bad(int index, String problem) {
    var called = called();
    var name = called == null ? function : called.name();
    if (called != null && called.kind().equals("method")) {
      return index == 1
          ? error("calling '" + name + "' on bad self (" + problem + ")")
          : argument(index - 1, name, problem);
    }
    return argument(index, name, problem);
  }

  private RuntimeException argument(int index, String name, String problem) {
    return error("bad argument #" + index + " to '" + name + "' (" + problem + ")");
  }
}
