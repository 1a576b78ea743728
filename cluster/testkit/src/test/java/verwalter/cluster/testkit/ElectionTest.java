package verwalter.cluster.testkit;

import java.util.List;
import verwalter.cluster.Leadership;
import verwalter.concurrent.testkit.VirtualWorld;

/** Tests that the election used by other tests keeps the promises of leadership. */
class ElectionTest extends LeadershipContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var election = new Election(world, 0);
    election.elect("a1");
    return new Trial() {
      @Override
      public Leadership leadership(String machine) {
        return election.leadership(machine);
      }

      @Override
      public List<String> machines() {
        return List.of("a1", "b2", "c3");
      }

      @Override
      public boolean changes() {
        return true;
      }

      @Override
      public void elect(String machine) {
        election.elect(machine);
      }

      @Override
      public void isolate(String machine) {
        election.isolate(machine);
      }

      @Override
      public void rejoin(String machine) {
        election.rejoin(machine);
      }
    };
  }
}
