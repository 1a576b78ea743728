package verwalter.ui.table;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One column of a table of {@code R}s.
 *
 * @param name the heading: one word
 * @param form the type of its values
 * @param wide whether it is shown only in wide tables
 * @param description one sentence
 * @param value of a row: a {@code String}, {@code Number}, {@code Instant} or {@link Health}, as
 *     the form requires; null if there is none
 */
public record Column<R>(
    String name, Form form, boolean wide, String description, Function<R, @Nullable Object> value) {

  /** The type of a column's values. */
  public enum Form {
    /** The object's name: a text. */
    NAME,
    /** A text. */
    TEXT,
    /** A sentence for people. */
    PROSE,
    /** A number, or several as text: aligned to the right. */
    NUMBER,
    /** The beginning of a hash: a text. */
    HASH,
    /** A past {@code Instant}, shown as the time since. */
    AGE,
    /** A {@link Health}. */
    STATE
  }

  static <R> Column<R> of(
      String name, Form form, String description, Function<R, @Nullable Object> value) {
    return new Column<>(name, form, false, description, value);
  }

  static <R> Column<R> wide(
      String name, Form form, String description, Function<R, @Nullable Object> value) {
    return new Column<>(name, form, true, description, value);
  }
}
