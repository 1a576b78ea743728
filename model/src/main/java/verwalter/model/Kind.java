package verwalter.model;

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
 * @param writers who may write which part of its objects
 */
public record Kind<S, T>(
    String name,
    String plural,
    String shortName,
    Class<S> spec,
    Class<T> status,
    Scope scope,
    Writers writers) {
  /** The API group of every kind. */
  public static final String GROUP = "verwalter.io";

  /** The API version of every kind. */
  public static final String VERSION = "v1";

  /** What {@code apiVersion:} reads in every object. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /**
   * A kind whose plural is its lower-case name with an {@code s}, of the cluster, without writers.
   */
  static <S, T> Kind<S, T> of(String name, String shortName, Class<S> spec, Class<T> status) {
    var plural = name.toLowerCase(Locale.ROOT) + "s";
    return new Kind<>(name, plural, shortName, spec, status, Scope.CLUSTER, Writers.NONE);
  }

  Kind<S, T> in(Scope scope) {
    return new Kind<>(name, plural, shortName, spec, status, scope, writers);
  }

  Kind<S, T> specBy(Writer... those) {
    return writtenBy(writers.withSpec(those));
  }

  Kind<S, T> statusBy(Writer... those) {
    return writtenBy(writers.withStatus(those));
  }

  /** {@code writer} writes the status too, but only this condition, and nobody else writes it. */
  Kind<S, T> conditionBy(ConditionType condition, Writer writer) {
    return writtenBy(writers.withCondition(condition, writer));
  }

  /** {@code writer} adds and removes this finalizer. */
  Kind<S, T> finalizedBy(String finalizer, Writer writer) {
    return writtenBy(writers.withFinalizer(finalizer, writer));
  }

  /** These ask for the removal of objects, besides operators and the writers of the spec. */
  Kind<S, T> removedBy(Writer... those) {
    return writtenBy(writers.withRemoval(those));
  }

  private Kind<S, T> writtenBy(Writers writers) {
    return new Kind<>(name, plural, shortName, spec, status, scope, writers);
  }

  /** Who may create objects and change their spec. */
  public Set<Writer> specWriters() {
    return writers.spec();
  }

  /** Who may change the status, or one condition of it; see {@link Writers#conditions}. */
  public Set<Writer> statusWriters() {
    return writers.status();
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
