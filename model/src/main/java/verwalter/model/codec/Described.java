package verwalter.model.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the JSON Schema says about a field of a file, besides its name and type. A number that no
 * {@code int} holds is refused with the bounds.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Described {
  /** The meaning of the field: one line. */
  String value();

  /** What texts match: those of the field, or those in its list or mapping. */
  String pattern() default "";

  /** What the names in a mapping match. */
  String names() default "";

  /** The lowest number, also of numbers in a mapping. */
  long min() default Long.MIN_VALUE;

  /** The highest number. */
  long max() default Long.MAX_VALUE;

  /** The lowest number of items or entries. */
  int least() default 0;

  /** The highest number of items or entries. */
  int most() default Integer.MAX_VALUE;

  /** The field without which this one may not be given. */
  String needs() default "";

  /** The group of fields of which at most one may be given and not {@code false}. */
  String oneOf() default "";

  /** The name of another field; without this one, it has to match {@link #matches}. */
  String unless() default "";

  /** What the field {@link #unless} has to match without this one. */
  String matches() default "";
}
