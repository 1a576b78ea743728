package verwalter.cluster.single;

import java.util.List;
import verwalter.cluster.Leases;
import verwalter.cluster.testkit.LeasesContract;
import verwalter.concurrent.testkit.VirtualWorld;

class SingleLeasesTest extends LeasesContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var leases = new SingleLeases("a1", world.clock());
    return new Trial() {
      @Override
      public Leases leases(String machine) {
        return leases;
      }

      @Override
      public List<String> machines() {
        return List.of("a1");
      }

      @Override
      public void isolate(String machine) {}
    };
  }
}
