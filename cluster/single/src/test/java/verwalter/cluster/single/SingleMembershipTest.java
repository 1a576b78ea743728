package verwalter.cluster.single;

import java.util.List;
import verwalter.cluster.Membership;
import verwalter.cluster.testkit.MembershipContract;
import verwalter.concurrent.testkit.VirtualWorld;

class SingleMembershipTest extends MembershipContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var membership = new SingleMembership("a1");
    return new Trial() {
      @Override
      public Membership membership(String machine) {
        return membership;
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
      public void leave() {}

      @Override
      public void join() {}
    };
  }
}
