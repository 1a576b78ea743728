package verwalter.cluster.forks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.MinorityPolicy.Conduct;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.cluster.sides.SideOptions;
import verwalter.concurrent.Loop;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;

/**
 * What a node runs of its share: what the log says, what a fork says, or what the policies of the
 * roles say without a leader. {@link #read} is called before the loop uses this, and {@link
 * #update} on the loop; everything else is thread-safe.
 */
final class SideConduct {
  private final EpochStore log;
  private final MinorityPolicy others;
  private final SideFork fork;
  private final RolePolicies policies;
  private final StoppedRoles stopped;
  private final Loop loop;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private Object announced = "";
  private volatile SideMoment moment;

  /**
   * Reads what the node runs now.
   *
   * @param lost since when the log has no leader
   */
  SideConduct(
      EpochStore log,
      SideOptions options,
      SideFork fork,
      RolePolicies policies,
      StoppedRoles stopped,
      Loop loop,
      Optional<Duration> lost) {
    this.log = log;
    this.others = options.policy(Optional.empty());
    this.fork = fork;
    this.policies = policies;
    this.stopped = stopped;
    this.loop = loop;
    this.moment = moment(lost);
  }

  /** Calls the listener now, and when what the node is to run may have changed, on the loop. */
  void listen(Runnable listener) {
    listeners.add(listener);
    loop.execute(listener);
  }

  /** Whether the log has no leader, or there is a fork that is not merged yet. */
  boolean isMinority() {
    var now = moment;
    return now.lost() || now.fork().isPresent();
  }

  /** Whether the node uses a fork. */
  boolean isFork() {
    return moment.isFork();
  }

  /** What the node runs of its share. */
  NodeSchedule.Spec share(String node, NodeSchedule.Spec share) {
    var now = moment;
    if (now.isPlain()) {
      return share;
    }
    var logged = share(log, node);
    var forked = now.fork().map(it -> share(it, node)).orElse(logged);
    return new NodeSchedule.Spec(
        share.schedule(),
        SideRoles.of(logged.roles(), forked.roles(), now::conduct),
        SideRoles.of(logged.versions(), forked.versions(), now::conduct));
  }

  private static NodeSchedule.Spec share(ObjectStore store, String node) {
    return store
        .get(NodeSchedule.KIND, node)
        .map(Resource::spec)
        .orElseGet(() -> new NodeSchedule.Spec("", Map.of()));
  }

  /**
   * Reads again what the node runs. No listener is called.
   *
   * @param lost since when the log has no leader
   */
  void read(Optional<Duration> lost) {
    moment = moment(lost);
  }

  /** Reads again what the node runs, and calls the listeners if something has changed for them. */
  void update(Optional<Duration> lost) {
    var next = moment(lost);
    moment = next;
    var announcement =
        List.of(next.lost(), next.fork().isPresent(), next.conducts(), next.others(), log.epoch());
    if (!announcement.equals(announced)) {
      announced = announcement;
      listeners.forEach(Runnable::run);
    }
  }

  private SideMoment moment(Optional<Duration> lost) {
    var conducts = new TreeMap<String, Conduct>();
    policies
        .all()
        .forEach(
            (role, policy) ->
                conducts.put(
                    role,
                    lost.isPresent() && stopped.contains(role)
                        ? Conduct.STOP
                        : conduct(policy, lost)));
    return new SideMoment(
        lost.isPresent(),
        fork.store().map(store -> store),
        fork.isUsed(),
        Map.copyOf(conducts),
        conduct(others, lost));
  }

  private Conduct conduct(MinorityPolicy policy, Optional<Duration> lost) {
    if (policy.mode() == Mode.SCHEDULE && fork.store().isPresent()) {
      return Conduct.FOLLOW_FORK;
    }
    // Roles are stopped when that is stored.
    return lost.isEmpty() ? Conduct.FOLLOW_LOG : policy.conduct(lost, lost.get(), false);
  }
}
