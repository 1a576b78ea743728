package verwalter.e2e.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.replicated.ReplicatedLog;
import verwalter.stores.replicatedkit.ModelEnsemble;

/**
 * The servers of the log, one in the agent of each elector. One of them leads while it is connected
 * to a majority; an agent can use the log while it is connected to that server. A change of the
 * leading server takes a while, and answers are lost.
 */
final class Quorum {
  private final RandomGenerator random;
  private final ModelEnsemble ensemble;
  private final Links links;
  private final Set<String> electors;
  private final Set<String> running = new TreeSet<>();
  private final Map<String, ReplicatedLog> logs = new HashMap<>();
  private final List<Runnable> listeners = new ArrayList<>();
  private final Loop loop;
  private Optional<String> leader = Optional.empty();
  private boolean serving;
  private int elections;

  Quorum(VirtualWorld world, ModelEnsemble ensemble, Links links, Set<String> electors) {
    this.random = world.random();
    this.ensemble = ensemble;
    this.links = links;
    this.electors = electors;
    this.loop = world.loop("quorum");
    ensemble.majority(false);
    links.watch(this::update);
  }

  /** Calls the listener when the log has become usable after a pause. */
  void onReturn(Runnable listener) {
    listeners.add(listener);
  }

  /** Opens the log in an agent. */
  ReplicatedLog open(String machine, Loop process) {
    var log = ensemble.open(process);
    logs.put(machine, log);
    if (!isConnected(machine)) {
      ensemble.cut(log);
    }
    return log;
  }

  /** An agent has started, and its server with it. */
  void started(String machine) {
    running.add(machine);
    update();
  }

  /** An agent has ended. */
  void ended(String machine) {
    running.remove(machine);
    var log = logs.remove(machine);
    if (log != null) {
      ensemble.cut(log);
    }
    update();
  }

  /** Elects another server. */
  void elect() {
    leader.ifPresent(
        present -> {
          var able = able();
          able.remove(present);
          lose();
          if (!able.isEmpty()) {
            begin(able.get(random.nextInt(able.size())));
          } else {
            update();
          }
        });
  }

  /** Whether requests of an agent are answered. */
  boolean answers(String machine) {
    return serving && isConnected(machine);
  }

  private boolean isConnected(String machine) {
    return running.contains(machine)
        && leader.filter(it -> it.equals(machine) || links.connects(it, machine)).isPresent();
  }

  private void update() {
    if (leader.isPresent() && !canLead(leader.get())) {
      lose();
    }
    if (leader.isEmpty()) {
      var able = able();
      if (!able.isEmpty()) {
        begin(able.get(random.nextInt(able.size())));
      }
    }
    logs.forEach(
        (machine, log) -> {
          if (isConnected(machine)) {
            ensemble.reconnect(log);
          } else {
            ensemble.cut(log);
          }
        });
  }

  private List<String> able() {
    return new ArrayList<>(electors.stream().filter(this::canLead).toList());
  }

  private boolean canLead(String server) {
    return running.contains(server)
        && 2
                * electors.stream()
                    .filter(
                        each ->
                            running.contains(each)
                                && (each.equals(server) || links.connects(server, each)))
                    .count()
            > electors.size();
  }

  private void lose() {
    leader = Optional.empty();
    serving = false;
    elections++;
    ensemble.majority(false);
    ensemble.interrupt();
  }

  private void begin(String next) {
    leader = Optional.of(next);
    int mine = ++elections;
    loop.after(
        Duration.ofMillis(100 + random.nextInt(1500)),
        () -> {
          if (mine == elections) {
            serving = true;
            ensemble.majority(true);
            listeners.forEach(Runnable::run);
          }
        });
  }
}
