package verwalter.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The writers of each part of the objects of a kind.
 *
 * @param spec who may create objects and change their spec
 * @param status who may change their status
 * @param conditions the only writer of each of these conditions. It may not write the rest of the
 *     status.
 * @param finalizers who adds and removes each finalizer
 * @param removal who may delete objects, in addition to the writers of the spec
 */
public record Writers(
    Set<Writer> spec,
    Set<Writer> status,
    Map<ConditionType, Writer> conditions,
    Map<String, Writer> finalizers,
    Set<Writer> removal) {
  static final Writers NONE =
      new Writers(Set.of(), Set.of(), Map.of(), Map.of(), Set.of(Writer.OPERATOR));

  public Writers {
    spec = inOrder(spec);
    status = inOrder(status);
    var ordered = new EnumMap<ConditionType, Writer>(ConditionType.class);
    ordered.putAll(conditions);
    conditions = Collections.unmodifiableMap(ordered);
    finalizers = Map.copyOf(finalizers);
    removal = inOrder(removal);
  }

  Writers withSpec(Writer... writers) {
    return new Writers(Set.of(writers), status, conditions, finalizers, removal);
  }

  Writers withStatus(Writer... writers) {
    return new Writers(spec, Set.of(writers), conditions, finalizers, removal);
  }

  Writers withCondition(ConditionType condition, Writer writer) {
    var all = new HashMap<>(conditions);
    all.put(condition, writer);
    return new Writers(spec, status, all, finalizers, removal);
  }

  Writers withFinalizer(String finalizer, Writer writer) {
    return new Writers(spec, status, conditions, Map.of(finalizer, writer), removal);
  }

  Writers withRemoval(Writer... writers) {
    return new Writers(spec, status, conditions, finalizers, Set.of(writers));
  }

  private static Set<Writer> inOrder(Set<Writer> writers) {
    var ordered = EnumSet.noneOf(Writer.class);
    ordered.addAll(writers);
    return Collections.unmodifiableSet(ordered);
  }
}
