package verwalter.agent;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.cluster.forks.SideMembers;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The members of the cluster that this node reaches. The group exists only while some role needs
 * it. Its state belongs to the loop.
 */
final class ReachedMembers implements SideMembers {
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofMinutes(1));

  private final Callable<Group> joining;
  private final Consumer<String> warnings;
  private final Loop loop;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private @Nullable Group group;
  private Watch views = () -> {};
  private boolean wanted;
  private boolean busy;
  private int failures;
  private String said = "";

  /**
   * A group that was joined.
   *
   * @param leave leaves it; may block
   */
  record Group(Membership membership, Runnable leave) {}

  /**
   * Creates members without a group.
   *
   * @param joining joins the group; may block
   * @param warnings receives each reason for a failure once
   */
  ReachedMembers(Callable<Group> joining, Consumer<String> warnings, Loop loop) {
    this.joining = joining;
    this.warnings = warnings;
    this.loop = loop;
  }

  @Override
  public void want(boolean wanted) {
    this.wanted = wanted;
    update();
  }

  private void update() {
    var present = group;
    if (busy || wanted == (present != null)) {
      return;
    }
    busy = true;
    if (present == null) {
      loop.offload(joining).onSuccess(this::joined).onFailure(this::failed);
    } else {
      views.close();
      group = null;
      loop.offload(
              () -> {
                present.leave().run();
                return present;
              })
          .onComplete(left -> settled());
    }
  }

  private void joined(Group next) {
    group = next;
    failures = 0;
    said = "";
    views = next.membership().watch(loop, view -> listeners.forEach(Runnable::run));
    settled();
  }

  private void failed(Throwable failure) {
    var why = String.valueOf(failure.getMessage());
    if (!why.equals(said)) {
      said = why;
      warnings.accept("side: " + why);
    }
    loop.after(RETRY.delay(++failures), this::settled);
  }

  private void settled() {
    busy = false;
    update();
  }

  @Override
  public Watch watch(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public Optional<View> view() {
    // The view before the group is joined has the number 0.
    return Optional.ofNullable(group)
        .map(present -> present.membership().view())
        .filter(it -> it.number() > 0);
  }
}
