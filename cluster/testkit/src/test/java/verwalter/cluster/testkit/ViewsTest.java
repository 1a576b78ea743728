package verwalter.cluster.testkit;

import java.util.List;
import java.util.TreeSet;
import verwalter.cluster.Membership;
import verwalter.concurrent.testkit.VirtualWorld;

class ViewsTest extends MembershipContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    var views = new Views(new TreeSet<>(List.of("a1", "b2", "c3")));
    return new Trial() {
      @Override
      public Membership membership(String machine) {
        return views.membership();
      }

      @Override
      public List<String> machines() {
        return List.of("a1", "b2");
      }

      @Override
      public boolean changes() {
        return true;
      }

      @Override
      public void leave() {
        views.leave("c3");
      }

      @Override
      public void join() {
        views.join("c3");
      }
    };
  }
}
