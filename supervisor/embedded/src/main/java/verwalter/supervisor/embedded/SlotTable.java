package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The lives of all slots by sandbox, in the order of the slots' names. Belongs to the loop. */
final class SlotTable {
  private final Map<String, TreeMap<String, SlotState>> bySandbox = new TreeMap<>();

  /** Every sandbox that has a slot. */
  Set<String> sandboxes() {
    return Set.copyOf(bySandbox.keySet());
  }

  /** Those of one sandbox as they are now. */
  List<SlotState> of(String sandbox) {
    var its = bySandbox.get(sandbox);
    return its == null ? List.of() : List.copyOf(its.values());
  }

  Stream<SlotState> all() {
    return bySandbox.values().stream().flatMap(its -> its.values().stream());
  }

  @Nullable SlotState find(String slot) {
    var its = bySandbox.get(SlotName.parse(slot).sandbox());
    return its == null ? null : its.get(slot);
  }

  /** In the place of the life that the slot had. */
  void put(SlotState life) {
    bySandbox
        .computeIfAbsent(
            SlotName.parse(life.slot()).sandbox(), its -> new TreeMap<>(SlotName.ORDER))
        .put(life.slot(), life);
  }

  void remove(String slot) {
    bySandbox.computeIfPresent(
        SlotName.parse(slot).sandbox(),
        (sandbox, its) -> {
          its.remove(slot);
          return its.isEmpty() ? null : its;
        });
  }
}
