package verwalter.e2e.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import verwalter.cluster.View;
import verwalter.cluster.forks.SideMembers;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * A model of group membership. The members that the first of them reaches have one view; each of
 * them learns about it at another time.
 */
final class Groups {
  private static final int LONGEST_DETECTION = 3_000;
  private static final int LONGEST_JOIN = 1_500;

  private final Loop loop;
  private final Links links;
  private final RandomGenerator random;
  private final Map<String, Member> members = new TreeMap<>();
  private long number = 1;

  Groups(VirtualWorld world, Links links) {
    this.loop = world.loop("groups");
    this.random = world.random();
    this.links = links;
    links.watch(this::update);
  }

  /** The members that a new process of a machine reaches. */
  SideMembers join(String machine, Loop process) {
    return new Member(machine, process);
  }

  /** The process of a machine has ended. */
  void ended(String machine) {
    if (members.remove(machine) != null) {
      update();
    }
  }

  private void update() {
    var left = new TreeSet<>(members.keySet());
    while (!left.isEmpty()) {
      var first = left.first();
      var group = new TreeSet<String>();
      for (var each : left) {
        if (each.equals(first) || links.connects(first, each)) {
          group.add(each);
        }
      }
      left.removeAll(group);
      install(group);
    }
  }

  private void install(Set<String> group) {
    if (group.stream().allMatch(each -> of(each).expects(group))) {
      return;
    }
    var view = new View(++number, new TreeSet<>(group));
    for (var each : group) {
      var member = of(each);
      member.coming = Optional.of(view);
      loop.after(Duration.ofMillis(random.nextInt(LONGEST_DETECTION)), () -> member.install(view));
    }
  }

  private Member of(String machine) {
    var member = members.get(machine);
    if (member == null) {
      throw new IllegalStateException(machine + " is no member");
    }
    return member;
  }

  /** A process that may belong to the group. */
  private final class Member implements SideMembers {
    private final String machine;
    private final Loop process;
    private final List<Runnable> listeners = new ArrayList<>();
    private Optional<View> coming = Optional.empty();
    private Optional<View> present = Optional.empty();
    private boolean wanted;

    private Member(String machine, Loop process) {
      this.machine = machine;
      this.process = process;
    }

    private boolean expects(Set<String> group) {
      return coming.filter(it -> it.members().equals(group)).isPresent();
    }

    private void install(View view) {
      if (members.get(machine) == this && coming.equals(Optional.of(view))) {
        present = coming;
        listeners.forEach(process::execute);
      }
    }

    @Override
    public void want(boolean now) {
      if (now == wanted) {
        return;
      }
      wanted = now;
      if (now) {
        process.after(
            Duration.ofMillis(random.nextInt(LONGEST_JOIN)),
            () -> {
              if (wanted && members.get(machine) != this) {
                members.put(machine, this);
                update();
              }
            });
      } else if (members.remove(machine, this)) {
        present = Optional.empty();
        coming = Optional.empty();
        update();
      }
    }

    @Override
    public Watch watch(Runnable listener) {
      listeners.add(listener);
      return () -> listeners.remove(listener);
    }

    @Override
    public Optional<View> view() {
      return present;
    }
  }
}
