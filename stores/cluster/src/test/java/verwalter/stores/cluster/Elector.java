package verwalter.stores.cluster;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.replicated.ReplicatedLog;
import verwalter.stores.replicatedkit.ModelEnsemble;
import verwalter.stores.replicatedkit.VolatileDisk;

/** A process with a cluster store in a virtual world, which can crash and start again. */
final class Elector {
  private final VirtualWorld world;
  private final ModelEnsemble ensemble;
  private final List<Elector> all;
  private final String name;
  private final ClusterOptions options;

  private VolatileDisk disk = new VolatileDisk();
  private Loop loop;
  private Loop worker;
  private Duration slowestWork = Duration.ZERO;
  private ReplicatedLog log;
  private ClusterStore store;
  private boolean cut;
  private int fetched;

  /** A process that has not started. */
  Elector(
      VirtualWorld world,
      ModelEnsemble ensemble,
      List<Elector> all,
      String name,
      ClusterOptions options) {
    this.world = world;
    this.ensemble = ensemble;
    this.all = all;
    this.name = name;
    this.options = options;
  }

  String name() {
    return name;
  }

  VolatileDisk disk() {
    return disk;
  }

  /** The loop that ends with the process. */
  Loop loop() {
    return loop;
  }

  boolean isRunning() {
    return store != null;
  }

  ClusterStore store() {
    return store;
  }

  ReplicatedLog log() {
    return log;
  }

  /** How often it has fetched a snapshot. */
  int fetched() {
    return fetched;
  }

  /** Sets how long a task of the executor waits at most. */
  void slowWork(Duration slowest) {
    slowestWork = slowest;
  }

  /** Starts the process. Returns false if its disk fails. */
  boolean start() throws IOException {
    loop = world.loop(name);
    worker = world.loop(name + " worker");
    Executor executor =
        task ->
            worker.after(
                Duration.ofMillis(world.random().nextLong(slowestWork.toMillis() + 1)), task);
    try {
      store =
          ClusterStore.open(
              disk,
              this::openLog,
              this::newest,
              new StoreEnvironment(
                  options,
                  loop,
                  executor,
                  () -> world.random().nextDouble(),
                  world.clock(),
                  world.uids()));
      return true;
    } catch (IOException failure) {
      if (!disk.isDown()) {
        throw failure;
      }
      crash();
      return false;
    }
  }

  private ReplicatedLog openLog() {
    log = ensemble.open(loop);
    if (cut) {
      ensemble.cut(log);
    }
    return log;
  }

  private Future<PeerSnapshot> newest() {
    var reached =
        all.stream().filter(each -> each != this && each.isRunning() && !each.cut && !cut).toList();
    if (reached.isEmpty()) {
      return Future.failedFuture("no elector can be reached");
    }
    fetched++;
    var some = reached.get(world.random().nextInt(reached.size()));
    return Future.succeededFuture(PeerSnapshot.of(some.store.snapshot()));
  }

  /** Ends the process. Its disk loses what was not forced. */
  void crash() {
    world.kill(loop);
    world.kill(worker);
    store = null;
    disk = disk.afterCrash(world.random());
  }

  /** Ends the process and replaces its disk. */
  void wipe() {
    crash();
    disk = new VolatileDisk();
  }

  /** Disconnects the process from the log and the other electors, or connects it again. */
  void cut(boolean disconnect) {
    cut = disconnect;
    if (disconnect) {
      ensemble.cut(log);
    } else {
      ensemble.reconnect(log);
    }
  }

  boolean isCut() {
    return cut;
  }
}
