package verwalter.agent;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.joining.ClusterMember;
import verwalter.stores.api.ObjectStore;

/**
 * The cluster addresses of the other electors by name, as far as this node knows them: from the
 * store, and as long as that names none, from the time when it joined. Thread-safe.
 */
final class OtherElectors implements Supplier<Map<String, String>> {
  private final ClusterMember self;
  private volatile @Nullable ObjectStore store;

  OtherElectors(ClusterMember self) {
    this.self = self;
  }

  /** Reads the store from now on. */
  void use(ObjectStore opened) {
    store = opened;
  }

  @Override
  public Map<String, String> get() {
    var others = new TreeMap<String, String>();
    var present = store;
    if (present != null) {
      ElectorSlots.members(present).stream()
          .filter(each -> each.elector() && !each.addresses().isEmpty())
          .forEach(each -> others.put(each.node(), each.addresses().get(0)));
    }
    if (others.isEmpty()) {
      self.members().forEach(each -> others.put(each.node(), each.addresses().get(0)));
    }
    others.remove(self.node());
    return others;
  }
}
