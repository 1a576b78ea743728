package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.AsyncResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Fence;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.local.Options;
import verwalter.stores.replicatedkit.ModelEnsemble;

/** Three to five electors that write to cluster stores, with faults from a seed. */
final class StoreSimulation {
  private static final Duration FAULTY = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int OBJECTS = 4;

  private final VirtualWorld world;
  private final RandomGenerator random;
  private final ModelEnsemble ensemble;
  private final History history;
  private final List<Elector> electors = new ArrayList<>();

  /** The last epoch that each elector has begun. */
  private final Map<Elector, Long> epochs = new HashMap<>();

  /** The largest number of a durable entry that each elector has had. */
  private final Map<Elector, Long> durable = new HashMap<>();

  /** The last revision of each store. */
  private final Map<ClusterStore, Long> revisions = new HashMap<>();

  private @Nullable AssertionError failure;
  private boolean faulty = true;
  private long trimmed;
  private int writes;
  private int crashes;

  StoreSimulation(long seed) {
    world = new VirtualWorld(seed);
    random = world.random();
    ensemble = new ModelEnsemble(world, Duration.ofMillis(1 + random.nextInt(40)));
    history = new History(world);
    ensemble.observe(history::appended);
    var options =
        new ClusterOptions(
            new Options(new HistoryLimit(50, 1 << 20), 1500, 1 << 26),
            new LogRetention(random.nextInt(20), 1 << 16, 1 << 20),
            PATIENCE);
    int count = 3 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      electors.add(new Elector(world, ensemble, electors, "e" + i, options));
    }
    world.always(this::check);
  }

  /** The number of acknowledged writes. */
  int acknowledged() {
    return history.acknowledged();
  }

  /** The number of crashes. */
  int crashes() {
    return crashes;
  }

  /** How often an elector has fetched a snapshot. */
  int fetched() {
    return electors.stream().mapToInt(Elector::fetched).sum();
  }

  /** Runs the simulation, and checks it. */
  void run() throws IOException {
    for (var each : electors) {
      start(each);
    }
    var faults = world.loop("faults");
    faults.after(nextFault(), () -> fault(faults));
    world.runFor(FAULTY);
    faulty = false;
    heal();
    world.runUntil(this::isQuiet, LIMIT);
    for (var each : electors) {
      assertThat(each.store().problem()).isEmpty();
      history.complete(each.store());
      each.store().list(RoleInstance.KIND).forEach(history::seen);
    }
  }

  private boolean isQuiet() {
    return electors.stream()
        .allMatch(
            each ->
                each.isRunning()
                    && each.store().snapshot().index() == history.last()
                    && each.store().durable() == history.last()
                    && each.store().problem().isEmpty());
  }

  private Elector any() {
    return electors.get(random.nextInt(electors.size()));
  }

  /** Checks each step, and ends processes whose disks have failed. */
  private void check() {
    if (failure != null) {
      throw failure;
    }
    for (var each : electors) {
      if (each.isRunning()) {
        durable.merge(each, each.store().durable(), Math::max);
        var before = revisions.put(each.store(), each.store().revision());
        assertThat(before == null || before <= each.store().revision())
            .as("the revision of %s does not go back", each.name())
            .isTrue();
      }
    }
    if (ensemble.trimmed() > trimmed) {
      trimmed = ensemble.trimmed();
      assertThat(durable.values().stream().filter(each -> each >= trimmed).count())
          .as("copies of the entry %d, which was trimmed", trimmed)
          .isGreaterThan(electors.size() / 2);
    }
    for (var each : electors) {
      if (each.isRunning() && each.disk().isDown()) {
        crash(each);
      }
    }
  }

  private void start(Elector elector) throws IOException {
    while (!elector.isRunning()) {
      if (faulty && random.nextInt(3) == 0) {
        elector.disk().failAfter(random.nextInt(60));
      }
      elector.slowWork(Duration.ofMillis(random.nextInt(3) * 30L));
      if (!elector.start()) {
        crashes++;
      }
    }
    var store = elector.store();
    store.watch(RoleInstance.KIND, elector.loop(), history::seen);
    if (faulty) {
      elector.loop().after(nextWrite(), () -> write(elector));
    }
  }

  private void crash(Elector elector) {
    crashes++;
    if (random.nextInt(6) == 0) {
      elector.wipe();
    } else {
      elector.crash();
    }
    world.loop("start").after(Duration.ofMillis(random.nextInt(700)), () -> restart(elector));
  }

  private void restart(Elector elector) {
    try {
      start(elector);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Duration nextFault() {
    return Duration.ofMillis(20 + random.nextInt(400));
  }

  private void fault(Loop faults) {
    if (!faulty) {
      return;
    }
    switch (random.nextInt(9)) {
      case 0, 1 -> Optional.of(any()).filter(Elector::isRunning).ifPresent(this::crash);
      case 2 -> ensemble.interrupt();
      case 3 -> ensemble.majority(random.nextInt(3) > 0);
      case 4 -> Optional.of(any()).filter(Elector::isRunning).ifPresent(each -> each.cut(true));
      case 5 -> electors.stream().filter(Elector::isRunning).forEach(each -> each.cut(false));
      default -> trim();
    }
    faults.after(nextFault(), () -> fault(faults));
  }

  private void trim() {
    var durable =
        electors.stream()
            .filter(Elector::isRunning)
            .collect(Collectors.toMap(Elector::name, each -> each.store().durable()));
    var names = electors.stream().map(Elector::name).collect(Collectors.toSet());
    Optional.of(any())
        .filter(Elector::isRunning)
        .ifPresent(each -> each.store().trim(durable, names));
  }

  private void heal() throws IOException {
    ensemble.majority(true);
    for (var each : electors) {
      if (each.isRunning()) {
        each.disk().repair();
        each.cut(false);
      }
    }
    world.runFor(Duration.ofSeconds(3));
    for (var each : electors) {
      each.cut(false);
    }
  }

  private Duration nextWrite() {
    return Duration.ofMillis(random.nextInt(300));
  }

  /** Makes a random write, and another one later. */
  private void write(Elector elector) {
    if (!faulty) {
      return;
    }
    var store = elector.store();
    if (random.nextInt(12) == 0) {
      store.beginEpoch(0).onSuccess(epoch -> epochs.merge(elector, epoch, Math::max));
    } else {
      write(elector, store);
    }
    elector.loop().after(nextWrite(), () -> write(elector));
  }

  private void write(Elector elector, ClusterStore store) {
    var epoch = epochs.get(elector);
    var fence =
        epoch == null || random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(epoch);
    int first = random.nextInt(OBJECTS);
    var all = new ArrayList<History.Write>();
    var parts = new ArrayList<Write>();
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      var name = "o" + (first + i) % OBJECTS;
      var value = "v" + writes++;
      var object = store.get(RoleInstance.KIND, name);
      all.add(
          new History.Write(
              value, name, object.map(each -> each.meta().version()).orElse(0L), fence));
      var spec = new RoleInstance.Spec(value, "n", "t", Optional.empty(), Map.of());
      parts.add(
          new Write.Put(
              object
                  .map(each -> each.withSpec(spec))
                  .orElseGet(() -> Resource.of(RoleInstance.KIND, name, spec))));
    }
    all.forEach(history::attempted);
    store
        .commit(parts, fence.isPresent() ? Fence.epoch(fence.getAsLong()) : Fence.NONE)
        .onComplete(
            done -> {
              try {
                check(all, done);
              } catch (AssertionError wrong) { // a future does not throw it
                failure = wrong;
              }
            });
  }

  private void check(List<History.Write> all, AsyncResult<List<Resource<?, ?>>> done) {
    for (int i = 0; i < all.size(); i++) {
      if (done.succeeded()) {
        history.acknowledged(all.get(i), done.result().get(i).meta().version());
      } else if (isCertain(done.cause())) {
        history.refused(all.get(i));
      }
    }
  }

  /** Whether a failed write has certainly not been written. */
  private static boolean isCertain(Throwable failure) {
    assertThat(failure).isInstanceOf(StoreException.class);
    return !(failure instanceof StoreException.Unavailable)
        || String.valueOf(failure.getMessage()).contains("nothing was written");
  }
}
