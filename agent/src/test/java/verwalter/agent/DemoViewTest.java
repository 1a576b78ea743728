package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.agent.DemoView.Observed;
import verwalter.agent.DemoView.State;

/** What a demo tells about its nodes. */
class DemoViewTest {
  private final DemoView view = new DemoView();

  private static Observed leading(String node, long pid) {
    return new Observed(node, pid, State.ANSWERS, true, true);
  }

  private static Observed following(String node, long pid) {
    return new Observed(node, pid, State.ANSWERS, false, true);
  }

  private static Observed alone(String node, long pid) {
    return new Observed(node, pid, State.ANSWERS, false, false);
  }

  private static Observed silent(String node, long pid, State state) {
    return new Observed(node, pid, state, false, false);
  }

  @Test
  void tellsEachChangeOnce() {
    assertThat(view.lines(List.of(leading("n1", 11), following("n2", 12))))
        .containsExactly("* n1 answers", "* n2 answers", "* n1 leads (pid 11)");
    assertThat(view.lines(List.of(leading("n1", 11), following("n2", 12)))).isEmpty();
  }

  @Test
  void namesTheNewLeaderAfterTheOldOneHasEnded() {
    view.lines(List.of(leading("n1", 11), following("n2", 12), following("n3", 13)));
    assertThat(
            view.lines(
                List.of(silent("n1", 11, State.ENDED), following("n2", 12), following("n3", 13))))
        .containsExactly("! n1 has ended; its processes run on");
    assertThat(view.lines(List.of(silent("n1", 11, State.ENDED), leading("n2", 12))))
        .containsExactly("* n2 leads (pid 12)");
    assertThat(view.leader()).contains("n2");
  }

  @Test
  void tellsHowToContinueAStoppedNode() {
    view.lines(List.of(leading("n1", 11), following("n2", 12)));
    assertThat(view.lines(List.of(leading("n1", 11), silent("n2", 12, State.STOPPED))))
        .containsExactly("! n2 is stopped; continue it: kill -CONT 12");
    assertThat(view.lines(List.of(leading("n1", 11), following("n2", 12))))
        .containsExactly("* n2 answers again");
  }

  @Test
  void tellsThatNoNodeLeads() {
    view.lines(List.of(leading("n1", 11), following("n2", 12)));
    var lines = List.of(silent("n1", 11, State.STOPPED), alone("n2", 12));
    assertThat(view.lines(lines)).contains("! no node leads; asked n2");
    assertThat(view.lines(lines)).isEmpty();
    assertThat(view.leader()).isEmpty();
    assertThat(view.lines(List.of(leading("n1", 11), following("n2", 12))))
        .containsExactly("* n1 answers again", "* n1 leads (pid 11)");
  }

  @Test
  void doesNotBelieveTwoNodesThatBothLead() {
    view.lines(List.of(leading("n1", 11), following("n2", 12)));
    assertThat(view.lines(List.of(leading("n1", 11), leading("n2", 12)))).isEmpty();
    assertThat(view.leader()).contains("n1");
  }
}
