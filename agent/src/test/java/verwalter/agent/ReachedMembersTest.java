package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.cluster.testkit.Views;
import verwalter.concurrent.testkit.VirtualWorld;

class ReachedMembersTest {
  private final VirtualWorld world = new VirtualWorld(3);
  private final List<String> warnings = new ArrayList<>();
  private String failure = "";
  private int attempts;
  private int left;
  private final Views views = new Views(new TreeSet<>(List.of("n1")));
  private final ReachedMembers members =
      new ReachedMembers(this::join, warnings::add, world.loop("side"));

  private ReachedMembers.Group join() throws IOException {
    attempts++;
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
    return new ReachedMembers.Group(views.membership(), () -> left++);
  }

  @Test
  void triesAgainLessAndLessOftenAndLogsEachReasonOnce() {
    failure = "no certificate";
    members.want(true);
    world.runFor(Duration.ofMinutes(5));

    assertThat(attempts).isBetween(8, 14);
    assertThat(warnings).containsExactly("side: no certificate");

    failure = "no address";
    world.runFor(Duration.ofMinutes(5));
    assertThat(warnings).containsExactly("side: no certificate", "side: no address");
  }

  @Test
  void joinsAfterAFailure() {
    failure = "no certificate";
    members.want(true);
    world.runFor(Duration.ofSeconds(1));
    assertThat(members.view()).isEmpty();

    failure = "";
    world.runFor(Duration.ofMinutes(2));
    assertThat(members.view().orElseThrow().members()).contains("n1");
  }

  @Test
  void reportsViewsUntilItLeaves() {
    var seen = new ArrayList<Object>();
    members.watch(() -> seen.add(new TreeSet<>(members.view().orElseThrow().members())));
    members.want(true);
    world.runFor(Duration.ofSeconds(1));
    views.join("n2");
    world.runFor(Duration.ofSeconds(1));
    assertThat(seen.get(seen.size() - 1).toString()).contains("n2");

    members.want(false);
    world.runFor(Duration.ofSeconds(1));
    assertThat(left).isOne();
    assertThat(members.view()).isEmpty();
  }
}
