package verwalter.ui.table;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One column of a table of {@code R}s.
 *
 * @param name the heading: one word
 * @param form what its values are
 * @param wide whether it is shown only where there is room
 * @param says what it means, in a sentence
 * @param value of a row: a {@code String}, {@code Number}, {@code Instant} or {@link Health}, as
 *     the form has it; null where there is nothing to say
 */
public record Column<R>(
    String name, Form form, boolean wide, String says, Function<R, @Nullable Object> value) {

  /** What a column's values are. */
  public enum Form {
    /** The object's name: a text. */
    NAME,
    /** A text. */
    TEXT,
    /** A sentence for people. */
    PROSE,
    /** A number, or several as text: set to the right. */
    NUMBER,
    /** A hash, long enough to be told from others: a text. */
    HASH,
    /** A past {@code Instant}, shown as the time since. */
    AGE,
    /** A {@link Health}. */
    STATE
  }

  static <R> Column<R> of(
      String name, Form form, String says, Function<R, @Nullable Object> value) {
    return new Column<>(name, form, false, says, value);
  }

  static <R> Column<R> wide(
      String name, Form form, String says, Function<R, @Nullable Object> value) {
    return new Column<>(name, form, true, says, value);
  }
}
