package verwalter.model;

import java.util.List;
import java.util.Locale;

/**
 * One kind of object: its names and the records that hold its spec and its status.
 *
 * @param name the CamelCase name in {@code kind:} fields, such as {@code RoleConfig}
 * @param plural the lower-case name in URLs, such as {@code roleconfigs}
 * @param shortName what operators type, such as {@code rc}
 * @param spec the record of what is wanted
 * @param status the record of what was seen
 */
public record Kind<S, T>(
    String name, String plural, String shortName, Class<S> spec, Class<T> status) {
  /** The API group of every kind. */
  public static final String GROUP = "verwalter.io";

  /** The API version of every kind. */
  public static final String VERSION = "v1";

  /** What {@code apiVersion:} reads in every object. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** A kind whose plural is its lower-case name with an {@code s}. */
  static <S, T> Kind<S, T> of(String name, String shortName, Class<S> spec, Class<T> status) {
    return new Kind<>(name, name.toLowerCase(Locale.ROOT) + "s", shortName, spec, status);
  }

  /** The key of the object of this kind that is called {@code object}. */
  public ResourceKey key(String object) {
    return new ResourceKey(name, object);
  }

  /** Whether an operator may mean this kind by {@code word}: any of its names, in any case. */
  public boolean answersTo(String word) {
    return List.of(name, plural, shortName).stream().anyMatch(word::equalsIgnoreCase);
  }

  /** A kind without status: the status record of such kinds has no fields. */
  public record None() {}
}
