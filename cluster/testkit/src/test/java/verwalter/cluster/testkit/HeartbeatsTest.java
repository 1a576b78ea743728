package verwalter.cluster.testkit;

import java.util.List;
import verwalter.cluster.Leases;
import verwalter.concurrent.testkit.VirtualWorld;

class HeartbeatsTest extends LeasesContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var heartbeats = new Heartbeats(world);
    List.of("a1", "b2", "c3").forEach(heartbeats::leases);
    return new Trial() {
      @Override
      public Leases leases(String machine) {
        return heartbeats.leases(machine);
      }

      @Override
      public List<String> machines() {
        return List.of("a1", "b2", "c3");
      }

      @Override
      public void isolate(String machine) {
        heartbeats.isolate(machine);
      }
    };
  }
}
