package verwalter.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of object: its names, the records of its spec and status, and their writers.
 *
 * <p>Independent of the writers, operators may change labels and annotations of every object and
 * delete every object.
 *
 * @param name the CamelCase name in {@code kind:} fields, such as {@code RoleConfig}
 * @param plural the lower-case name in URLs, such as {@code roleconfigs}
 * @param shortName abbreviation for command lines, such as {@code rcfg}
 * @param spec the record of the desired state
 * @param status the record of the observed state
 * @param scope which store is the master of objects of this kind
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

  /** The {@code apiVersion:} of every object. */
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /**
   * Creates a kind of scope CLUSTER without writers. The plural is the lower-case name with an
   * {@code s}.
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

  /**
   * Makes {@code writer} the only writer of this condition. It may not change the rest of the
   * status.
   */
  Kind<S, T> conditionBy(ConditionType condition, Writer writer) {
    return writtenBy(writers.withCondition(condition, writer));
  }

  /** Makes {@code writer} responsible for adding and removing this finalizer. */
  Kind<S, T> finalizedBy(String finalizer, Writer writer) {
    return writtenBy(writers.withFinalizer(finalizer, writer));
  }

  /**
   * Allows these writers to delete objects, in addition to operators and the writers of the spec.
   */
  Kind<S, T> removedBy(Writer... those) {
    var removers = EnumSet.of(Writer.OPERATOR, those);
    return writtenBy(writers.withRemoval(removers.toArray(Writer[]::new)));
  }

  /**
   * Allows only the writers of the spec to delete objects. Processes run because of these objects,
   * and end because their writer says so, not because somebody has deleted one.
   */
  Kind<S, T> removedByItsWriters() {
    return writtenBy(writers.withRemoval());
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

  /** The key of the object of this kind with the name {@code object}. */
  public ResourceKey key(String object) {
    return new ResourceKey(name, object);
  }

  /**
   * The node of an object: the node that it belongs to; for a {@link Node} and its {@link
   * NodeSchedule}, its own name; for an {@link Event}, the node of the object that the event is
   * about. Empty for objects of the whole cluster.
   */
  public Optional<String> node(Resource<S, T> object) {
    return Placement.node(object);
  }

  /**
   * The role of an object. For an {@link Event}, the role of the object that the event is about, if
   * it can be derived from the name of that object.
   */
  public Optional<String> role(Resource<S, T> object) {
    return Placement.role(object);
  }

  /** Whether {@code word} is a name of this kind, ignoring case. */
  public boolean hasName(String word) {
    return List.of(name, plural, shortName).stream().anyMatch(word::equalsIgnoreCase);
  }

  /** The status of kinds without status. */
  public record None() {}
}
