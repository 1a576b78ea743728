package verwalter.e2e.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import verwalter.controllers.runtime.Reconciler;
import verwalter.stores.api.ObjectStore;

/**
 * The invariants of every simulation, which are checked after each step:
 *
 * <ol>
 *   <li>The revision of a store never shrinks.
 *   <li>A controller never reconciles one key twice at once, also across the groups that an agent
 *       starts one after the other.
 *   <li>Only the master of an object writes it: see {@link MasterStore}.
 *   <li>A node stops a process only if a share that the node has seen requests a different process
 *       or none, if a restart is requested, or if the removal of an object of its role is
 *       requested: see {@link SeenShares}. A node that sees no new share because it is disconnected
 *       or was restarted stops nothing.
 * </ol>
 */
final class Invariants {
  private final SimulatedCluster cluster;
  private final List<String> violations = new ArrayList<>();
  private final Growing truth = new Growing();
  private final List<Checked> nodes = new ArrayList<>();

  Invariants(SimulatedCluster cluster) {
    this.cluster = cluster;
    cluster.world.always(this::check);
  }

  /** The last revision of a store. */
  private static final class Growing {
    private @Nullable ObjectStore store;
    private long revision;
  }

  /** What was checked of a node. */
  private record Checked(SimulatedNode node, Growing store, AtomicInteger terminated) {}

  /** Ends the run at the end of the present step; exceptions might be taken for failures. */
  void violated(String what) {
    violations.add(what);
  }

  private void check() {
    for (int i = nodes.size(); i < cluster.nodes.size(); i++) {
      nodes.add(new Checked(cluster.nodes.get(i), new Growing(), new AtomicInteger()));
    }
    grows(truth, cluster.truth());
    for (var each : nodes) {
      grows(each.store(), each.node().memory);
      each.node().shares.look();
      if (cluster.judgesStops()) {
        stops(each);
      }
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(String.join("; ", violations));
    }
  }

  private void grows(Growing before, ObjectStore store) {
    long revision = store.revision();
    if (before.store == store && revision < before.revision) {
      violated("the revision shrinks from %d to %d".formatted(before.revision, revision));
    }
    before.store = store;
    before.revision = revision;
  }

  private void stops(Checked checked) {
    var node = checked.node();
    var all = node.machine.terminated();
    int seen = checked.terminated().getAndSet(all.size());
    if (seen == all.size()) {
      return;
    }
    for (var process : all.subList(seen, all.size())) {
      if (!node.shares.justify(process)) {
        violated(
            "%s stops %s %s, which every share that it has seen wants: %s"
                .formatted(node.name, process.slot(), process, node.shares));
      }
    }
  }

  /** Wraps the reconcilers of one run of an agent. */
  BiFunction<String, Reconciler, Reconciler> oneAtATime(SimulatedNode node) {
    Set<String> ofNode = new HashSet<>();
    return (controller, reconciler) -> {
      // A leader that has stopped does not wait long for its reconciles, which cannot write.
      var busy = cluster.mayLeadAgain(controller) ? new HashSet<String>() : ofNode;
      return key -> {
        var what = controller + " of " + key;
        if (!busy.add(what)) {
          violated("%s: two reconciles at once by %s".formatted(node.name, what));
        }
        try {
          return reconciler.reconcile(key).onComplete(done -> busy.remove(what));
        } catch (RuntimeException failure) {
          busy.remove(what);
          throw failure;
        }
      };
    };
  }
}
