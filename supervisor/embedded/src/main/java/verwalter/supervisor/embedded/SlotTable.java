package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All slots by group, in the order of their names. Belongs to the loop. */
final class SlotTable {
  private final Map<String, TreeMap<String, SlotState>> byGroup = new TreeMap<>();

  /** Every group that has a slot. */
  Set<String> groups() {
    return Set.copyOf(byGroup.keySet());
  }

  /** The slots of one group, in the order of their names. */
  List<SlotState> of(String group) {
    var its = byGroup.get(group);
    return its == null ? List.of() : List.copyOf(its.values());
  }

  Stream<SlotState> all() {
    return byGroup.values().stream().flatMap(its -> its.values().stream());
  }

  @Nullable SlotState find(String slot) {
    var its = byGroup.get(SlotName.parse(slot).group());
    return its == null ? null : its.get(slot);
  }

  /** Replaces the state of the slot. */
  void put(SlotState state) {
    byGroup
        .computeIfAbsent(SlotName.parse(state.slot()).group(), its -> new TreeMap<>(SlotName.ORDER))
        .put(state.slot(), state);
  }

  void remove(String slot) {
    byGroup.computeIfPresent(
        SlotName.parse(slot).group(),
        (group, its) -> {
          its.remove(slot);
          return its.isEmpty() ? null : its;
        });
  }
}
