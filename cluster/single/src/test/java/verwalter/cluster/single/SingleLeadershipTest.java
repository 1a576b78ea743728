package verwalter.cluster.single;

import java.util.List;
import verwalter.cluster.Leadership;
import verwalter.cluster.testkit.LeadershipContract;
import verwalter.concurrent.testkit.VirtualWorld;

class SingleLeadershipTest extends LeadershipContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var leadership = new SingleLeadership("a1", 7);
    return new Trial() {
      @Override
      public Leadership leadership(String machine) {
        return leadership;
      }

      @Override
      public List<String> machines() {
        return List.of("a1");
      }

      @Override
      public boolean changes() {
        return false;
      }

      @Override
      public void elect(String machine) {}

      @Override
      public void isolate(String machine) {}

      @Override
      public void rejoin(String machine) {}
    };
  }
}
