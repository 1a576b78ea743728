package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.ClusterView;

/** Tests each promise of {@link ClusterView}. */
public abstract class ClusterViewContract {
  /** The view to test. */
  protected abstract ClusterView view();

  /** Steps that change the leader of the view, run in order; may be empty. */
  protected List<Runnable> steps(ClusterView view) {
    return List.of();
  }

  @Test
  @DisplayName("1: the node itself never changes")
  void theNodeItselfNeverChanges() {
    var view = view();
    var self = view.self();
    steps(view).forEach(Runnable::run);
    assertThat(view.self()).isEqualTo(self);
    assertThat(self.id()).isNotEmpty();
  }

  @Test
  @DisplayName("2: a node leads exactly if the leader has its id")
  void aNodeLeadsIfTheLeaderHasItsId() {
    var view = view();
    check(view);
    for (var step : steps(view)) {
      step.run();
      check(view);
    }
  }

  private static void check(ClusterView view) {
    assertThat(view.leads())
        .isEqualTo(
            view.leader()
                .map(ClusterView.Member::id)
                .equals(java.util.Optional.of(view.self().id())));
  }

  @Test
  @DisplayName("3: the epoch never decreases, and is at least 1 while there is a leader")
  void theEpochNeverDecreases() {
    var view = view();
    var epochs = new ArrayList<Long>();
    epochs.add(epoch(view));
    for (var step : steps(view)) {
      step.run();
      epochs.add(epoch(view));
    }
    assertThat(epochs).isSorted();
  }

  private static long epoch(ClusterView view) {
    if (view.leader().isPresent()) {
      assertThat(view.epoch()).isGreaterThanOrEqualTo(1);
    }
    return view.epoch();
  }
}
