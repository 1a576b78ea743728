package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.ClusterView;

/** What every {@link ClusterView} promises, promise by promise. */
public abstract class ClusterViewContract {
  /** A view to try. */
  protected abstract ClusterView view();

  /** Everything that changes who leads in that view, one step after the other; may be empty. */
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
  @DisplayName("3: the epoch never shrinks, and is at least 1 while there is a leader")
  void theEpochNeverShrinks() {
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
