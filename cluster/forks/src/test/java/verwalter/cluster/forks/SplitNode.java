package verwalter.cluster.forks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.View;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.SideOptions;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.Options;

/**
 * A node whose log may have a leader, in virtual time. Its files survive {@link #restart}. Alone in
 * its world it is n1, and n2 may lead the log.
 */
final class SplitNode {
  private static final Set<String> ELECTORS = Set.of("n1", "n2", "n3");

  final VirtualWorld world;
  final RefusingLog log;
  final Election election;
  final List<Overridden> overridden = new ArrayList<>();
  final Path directory;
  final String self;
  private final SideWorld sides;
  private final List<Runnable> viewers = new ArrayList<>();
  private Duration paused = Duration.ZERO;
  private int starts;

  /** Whether it can write to the log; not for an observer. */
  boolean mayLead = true;

  private Loop loop;
  private @Nullable MinoritySide side;

  /** The leadership as the node's controllers see it. */
  SideLeadership seat;

  /** The store that the node uses for the objects of the cluster. */
  EpochStore used;

  SplitNode(Path directory) {
    this(new SideWorld(directory, 7), "n1", directory);
    sides.electors.addAll(ELECTORS);
    sides.nodes.put(self, this);
    sides.split(List.of(Set.of(self)));
  }

  SplitNode(SideWorld sides, String self, Path directory) {
    this.sides = sides;
    this.self = self;
    this.directory = directory;
    world = sides.world;
    log = sides.log;
    election = sides.election;
    used = log;
    loop = world.loop("side " + self);
    seat = new SideLeadership(election.leadership(self), loop);
  }

  void viewChanged() {
    viewers.forEach(loop::execute);
  }

  /** Writes the Node of the machine. */
  SplitNode machine() {
    world.await(
        log.put(
            Resource.of(Node.KIND, self, new Node.Spec(false))
                .withStatus(
                    new Node.Status(
                        1,
                        List.of(),
                        Map.of(Node.MACHINE_ID, self),
                        new Node.Capacity(1, 1),
                        Optional.empty(),
                        new Node.Roles(0, 0, 0),
                        List.of()))));
    return this;
  }

  /** Writes a role with its settings, and the share of the node, which contains it. */
  SplitNode role(String name, Map<String, Object> settings) {
    world.await(log.put(Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(settings))));
    share(log, name, "log");
    return this;
  }

  /** Changes the settings of a role. */
  void settings(String role, Map<String, Object> settings) {
    var present = log.get(RoleConfig.KIND, role).orElseThrow();
    world.await(log.put(present.withSpec(RoleConfig.Spec.of(settings))));
  }

  /** Writes the role into the node's share in a store. */
  void share(EpochStore store, String role, String from) {
    var present = store.get(NodeSchedule.KIND, self);
    var roles =
        new TreeMap<>(
            present.map(it -> it.spec().roles()).orElse(Map.<String, Map<String, Object>>of()));
    roles.put(role, Map.of("from", from));
    var spec = new NodeSchedule.Spec("hash", roles);
    world.await(
        store.put(
            present
                .map(it -> it.withSpec(spec))
                .orElseGet(() -> Resource.of(NodeSchedule.KIND, self, spec))));
  }

  SplitNode start() {
    loop = world.loop("side " + self + " " + ++starts);
    viewers.clear();
    used = log;
    var leadership = election.leadership(self);
    seat = new SideLeadership(leadership, loop);
    var files =
        new ForkFiles(
            directory,
            Options.DEFAULT,
            world.loop("disk " + self + " " + starts),
            world.clock(),
            world.uids());
    try {
      side =
          MinoritySide.start(
              new MinoritySide.Cluster(
                  self,
                  () -> Duration.between(Instant.EPOCH, world.now()).plus(paused).toNanos(),
                  leadership,
                  log,
                  this::snapshot,
                  () -> sides.electors,
                  new Reached(),
                  sides.peers(self),
                  mayLead),
              new MinoritySide.Effects(seat, store -> used = store, overridden::addAll),
              files,
              SideOptions.DEFAULT,
              loop);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  MinoritySide side() {
    var present = side;
    if (present == null) {
      throw new IllegalStateException("the node was not started");
    }
    return present;
  }

  /** Ends the agent of the node and starts it again. */
  SplitNode restart() {
    die();
    return start();
  }

  /** Ends the agent of the node. */
  void die() {
    world.await(side().stop());
    world.kill(loop);
    seat = new SideLeadership(election.leadership(self), world.loop("none"));
  }

  private Snapshot snapshot() {
    var all = new ArrayList<Resource<?, ?>>();
    Kinds.ALL.forEach(kind -> all.addAll(log.list(kind)));
    return Snapshot.of(1, log.revision(), all);
  }

  /** What the node runs, by role. */
  Map<String, Map<String, Object>> roles() {
    var share = log.get(NodeSchedule.KIND, self).orElseThrow().spec();
    return side().share(self, share).roles();
  }

  /** Makes n2 the leader of the log, or nobody. */
  SplitNode led(boolean led) {
    if (led) {
      election.leadership("n2").stand(world.loop("n2"), new IdleCandidate());
      election.elect("n2");
    } else {
      election.resign();
    }
    return this;
  }

  /** Stops the process for some time, which its timers do not notice. */
  void pause(Duration time) {
    paused = paused.plus(time);
  }

  void run(Duration time) {
    world.runFor(time);
  }

  void until(BooleanSupplier goal) {
    world.runUntil(goal, Duration.ofMinutes(2));
  }

  private final class Reached implements SideMembers {
    @Override
    public void want(boolean wanted) {}

    @Override
    public Watch watch(Runnable listener) {
      viewers.add(listener);
      return () -> viewers.remove(listener);
    }

    @Override
    public Optional<View> view() {
      return Optional.of(sides.view(self));
    }
  }
}
