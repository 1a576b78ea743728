package verwalter.stores.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import verwalter.model.Commanded;
import verwalter.model.Counted;
import verwalter.model.Resource;

/**
 * The counters of commands that a write changes. Pure.
 *
 * @param changed the names of their fields
 * @param rest the written spec with the present counters
 */
record CommandCounters(Set<String> changed, Object rest) {
  /** Compares a written spec with the present one. */
  static CommandCounters of(Object present, Object wanted) {
    return present instanceof Commanded<?> was && wanted instanceof Commanded<?> next
        ? compared(was, next)
        : new CommandCounters(Set.of(), wanted);
  }

  @SuppressWarnings("unchecked") // both are specs of one kind
  private static <S extends Commanded<S>> CommandCounters compared(
      Commanded<?> present, Commanded<?> wanted) {
    var before = present.counters();
    var after = wanted.counters();
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
    return new CommandCounters(names, ((S) wanted).withCountersOf((S) present));
  }

  /**
   * Returns why a write is refused: a counter is not one more than the last number that was
   * requested or carried out. A smaller one would have no effect, and after the largest one there
   * would be no other.
   */
  static Optional<String> problem(Resource<?, ?> present, Resource<?, ?> wanted) {
    if (!(wanted.spec() instanceof Commanded<?> next)) {
      return Optional.empty();
    }
    var after = next.counters();
    var before = ((Commanded<?>) present.spec()).counters();
    var done =
        present.status().orElse(null) instanceof Counted status
            ? status.counters()
            : Map.<String, Long>of();
    for (var name : of(present.spec(), wanted.spec()).changed()) {
      long expected = 1 + Math.max(before.getOrDefault(name, 0L), done.getOrDefault(name, 0L));
      if (after.getOrDefault(name, 0L) != expected) {
        return Optional.of(
            "spec.%s must be %d, one more than the last number".formatted(name, expected));
      }
    }
    return Optional.empty();
  }
}
