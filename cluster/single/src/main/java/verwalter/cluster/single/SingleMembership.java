package verwalter.cluster.single;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** The membership of a single node: one view with one member. */
public final class SingleMembership implements Membership {
  private final View view;

  /** Creates the membership of the machine with this id. */
  public SingleMembership(String machine) {
    this.view = new View(1, new TreeSet<>(Set.of(machine)));
  }

  @Override
  public View view() {
    return view;
  }

  @Override
  public Watch watch(Loop loop, Consumer<View> watcher) {
    var open = new AtomicBoolean(true);
    loop.execute(
        () -> {
          if (open.get()) {
            watcher.accept(view);
          }
        });
    return () -> open.set(false);
  }
}
