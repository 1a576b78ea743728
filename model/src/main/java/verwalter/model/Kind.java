package verwalter.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of object: its names, the records that hold its spec and its status, and who may write
 * them.
 *
 * <p>Operators may change labels and annotations of every object and ask for the removal of every
 * object, whatever the writers are.
 *
 * @param name the CamelCase name in {@code kind:} fields, such as {@code RoleConfig}
 * @param plural the lower-case name in URLs, such as {@code roleconfigs}
 * @param shortName what operators type, such as {@code rc}
 * @param spec the record of what is wanted
 * @param status the record of what was seen
 * @param scope which store is the master of its objects
 * @param specWriters who may create objects and change their spec
 * @param statusWriters who may change their status
 */
public record Kind<S, T>(
    String name,
    String plural,
    String shortName,
    Class<S> spec,
    Class<T> status,
    Scope scope,
    Set<Writer> specWriters,
    Set<Writer> statusWriters) {
  /** The API group of every kind. */
  public static final String GROUP = "verwalter.io";

  /** The API version of every kind. */
  public static final String VERSION = "v1";

  /** What {@code apiVersion:} reads in every object. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  public Kind {
    specWriters = inOrder(specWriters);
    statusWriters = inOrder(statusWriters);
  }

  /**
   * A kind whose plural is its lower-case name with an {@code s}, of the cluster, without writers.
   */
  static <S, T> Kind<S, T> of(String name, String shortName, Class<S> spec, Class<T> status) {
    var plural = name.toLowerCase(Locale.ROOT) + "s";
    return new Kind<>(name, plural, shortName, spec, status, Scope.CLUSTER, Set.of(), Set.of());
  }

  Kind<S, T> in(Scope scope) {
    return new Kind<>(name, plural, shortName, spec, status, scope, specWriters, statusWriters);
  }

  Kind<S, T> specBy(Writer... writers) {
    return new Kind<>(name, plural, shortName, spec, status, scope, Set.of(writers), statusWriters);
  }

  Kind<S, T> statusBy(Writer... writers) {
    return new Kind<>(name, plural, shortName, spec, status, scope, specWriters, Set.of(writers));
  }

  private static Set<Writer> inOrder(Set<Writer> writers) {
    var ordered = EnumSet.noneOf(Writer.class);
    ordered.addAll(writers);
    return Collections.unmodifiableSet(ordered);
  }

  /** The key of the object of this kind that is called {@code object}. */
  public ResourceKey key(String object) {
    return new ResourceKey(name, object);
  }

  /**
   * The node that an object of this kind names: the one it belongs to, or, for a {@link Node} and
   * its {@link NodeSchedule}, its own name. For an {@link Event}, the node of the object it is
   * about. Empty for objects of the whole cluster.
   */
  public Optional<String> node(Resource<S, T> object) {
    return Placement.node(object);
  }

  /**
   * The role that an object of this kind names; for an {@link Event}, the role of the object it is
   * about, as far as the name of that object tells.
   */
  public Optional<String> role(Resource<S, T> object) {
    return Placement.role(object);
  }

  /** Whether {@code word} is one of this kind's names, in any case. */
  public boolean answersTo(String word) {
    return List.of(name, plural, shortName).stream().anyMatch(word::equalsIgnoreCase);
  }

  /** A kind without status: the status record of such kinds has no fields. */
  public record None() {}
}
