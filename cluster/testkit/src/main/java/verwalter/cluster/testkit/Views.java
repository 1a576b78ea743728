package verwalter.cluster.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** The membership of machines, controlled by a test. */
public final class Views {
  private final List<Listening> watchers = new ArrayList<>();
  private View view;

  /** Creates a cluster with these members. */
  public Views(SortedSet<String> members) {
    this.view = new View(1, members);
  }

  private record Listening(Loop loop, Consumer<View> watcher) {}

  /** Adds a member. */
  public void join(String machine) {
    var members = new TreeSet<>(view.members());
    members.add(machine);
    become(members);
  }

  /** Removes a member. Its membership must not have been requested. */
  public void leave(String machine) {
    var members = new TreeSet<>(view.members());
    members.remove(machine);
    become(members);
  }

  private void become(SortedSet<String> members) {
    if (!members.equals(view.members())) {
      var next = new View(view.number() + 1, members);
      view = next;
      watchers.forEach(each -> report(each, next));
    }
  }

  private void report(Listening to, View next) {
    to.loop()
        .execute(
            () -> {
              if (watchers.contains(to)) {
                to.watcher().accept(next);
              }
            });
  }

  /** The membership as seen by each member. */
  public Membership membership() {
    return new Membership() {
      @Override
      public View view() {
        return view;
      }

      @Override
      public Watch watch(Loop loop, Consumer<View> watcher) {
        var listening = new Listening(loop, watcher);
        watchers.add(listening);
        report(listening, view);
        return () -> watchers.remove(listening);
      }
    };
  }
}
