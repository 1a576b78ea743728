package verwalter.controllers.config;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Source;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Names;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Copies the files below {@code runtime/} to role configurations. A role whose files cannot be read
 * keeps its previous configuration. If the runtime directory cannot be read, its roles stay, and
 * their condition is unknown. Only role configurations that came from files are removed.
 */
public final class ConfigReconciler implements Reconciler {
  /** Marks role configurations that came from files. */
  static final Map<String, String> FROM_FILES =
      Map.of(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY);

  private static final ResourceKey KEY = new ResourceKey("ConfigDirectory", "runtime");
  private static final String NAME = "config";

  /** Reads the runtime directory. Blocks on disk I/O. */
  @FunctionalInterface
  @SuppressWarnings("JavaLangClash") // named after the directory
  public interface Runtime {
    RuntimeReading read() throws IOException;
  }

  private final ObjectStore store;
  private final Loop loop;
  private final Runtime runtime;
  private final Events events;
  private Consumer<ResourceKey> keys = key -> {};
  private Optional<Runnable> afterFirst = Optional.empty();
  private Set<String> changing = Set.of();

  public ConfigReconciler(ObjectStore store, Loop loop, Runtime runtime, Events events) {
    this.store = store;
    this.loop = loop;
    this.runtime = runtime;
    this.events = events;
  }

  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .from(Source.once(KEY))
        .watching(store, RoleConfig.KIND, any -> Stream.of(KEY))
        .from(
            (on, report) -> {
              keys = report;
              return () -> {};
            });
  }

  /**
   * The files have changed. Call on the loop.
   *
   * @param changing the roles whose files are still changing: they keep their configuration until a
   *     later call
   */
  public void changed(Set<String> changing) {
    this.changing = Set.copyOf(changing);
    keys.accept(KEY);
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    return loop.offload(runtime::read)
        .compose(reading -> commit(writes(reading)), this::unknown)
        .onComplete(
            read -> {
              afterFirst.ifPresent(Runnable::run);
              afterFirst = Optional.empty();
            });
  }

  private Future<Result> commit(List<Write> writes) {
    return writes.isEmpty()
        ? Future.succeededFuture(Result.DONE)
        : store.commit(writes).map(Result.DONE);
  }

  /** Says in each role of the files that they are unknown. The roles stay as they are. */
  private Future<Result> unknown(Throwable failure) {
    var writes = new ArrayList<Write>();
    for (var role : store.list(RoleConfig.KIND)) {
      var status = role.status();
      if (RoleConfig.file(role).isEmpty() || status.isEmpty()) {
        continue;
      }
      var condition =
          Condition.ofUnknown(
              ConditionType.CONFIG_VALID,
              Reason.DIRECTORY_UNKNOWN,
              failure.getMessage() + " (the previous configuration stays in force)",
              role.meta().generation(),
              loop.now());
      var next =
          new RoleConfig.Status(
              status.get().observedGeneration(),
              status.get().versions(),
              Condition.put(status.get().conditions(), condition));
      if (!next.equals(status.get())) {
        writes.add(new Write.PutStatus(role.withStatus(next)));
      }
    }
    return commit(writes).compose(done -> Future.failedFuture(failure));
  }

  /** Runs {@code next} after the first attempt to read the files, successful or not. */
  public void afterFirstReading(Runnable next) {
    afterFirst = Optional.of(next);
  }

  private List<Write> writes(RuntimeReading reading) {
    var present = new TreeMap<String, Resource<RoleConfig.Spec, RoleConfig.Status>>();
    store.list(RoleConfig.KIND).forEach(each -> present.put(each.name(), each));
    var writes = new ArrayList<Write>();
    var names = new TreeSet<>(reading.roles().keySet());
    names.addAll(reading.problems().keySet());
    names.removeAll(changing);
    for (var name : names) {
      if (Names.isValid(name)) {
        writes.addAll(role(reading, name, present.get(name)));
      } else {
        report(name, "a role's name has " + Names.RULE);
      }
    }
    present.values().stream()
        .filter(each -> !names.contains(each.name()) && !changing.contains(each.name()))
        .filter(each -> RoleConfig.file(each).isPresent())
        .filter(each -> !each.meta().deleting())
        .forEach(each -> writes.add(new Write.Remove(each)));
    return writes;
  }

  private List<Write> role(
      RuntimeReading reading,
      String name,
      @Nullable Resource<RoleConfig.Spec, RoleConfig.Status> present) {
    var problems = reading.problems().getOrDefault(name, List.of());
    var before =
        present != null
            ? present
            : Resource.of(
                RoleConfig.KIND, name, new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty()));
    var read = reading.roles().get(name);
    var spec = problems.isEmpty() && read != null ? RoleConfig.Spec.of(read) : before.spec();
    boolean sameSpec = present != null && spec.equals(present.spec());
    var generation = before.meta().generation() + (sameSpec ? 0 : 1);
    var conditions = before.status().map(RoleConfig.Status::conditions).orElse(List.of());
    var next =
        before
            .withSpec(spec)
            .withMeta(before.meta().withLabels(labels(before.meta().labels())))
            .withStatus(
                new RoleConfig.Status(
                    generation,
                    spec.versions().keySet().stream().sorted(VersionOrder.OLDEST_FIRST).toList(),
                    Condition.put(conditions, valid(problems, generation))));
    if (present != null && next.sameAs(present)) {
      return List.of();
    }
    if (!problems.isEmpty()) {
      report(name, String.join("; ", problems));
    }
    return present == null
        ? List.of(new Write.Put(next))
        : List.of(new Write.Put(next), new Write.PutStatus(next));
  }

  /** The labels that operators set, and the one that marks a role of the files. */
  private static Map<String, String> labels(Map<String, String> present) {
    var labels = new TreeMap<>(present);
    labels.putAll(FROM_FILES);
    return labels;
  }

  private Condition valid(List<String> problems, long generation) {
    return problems.isEmpty()
        ? Condition.ofTrue(ConditionType.CONFIG_VALID, Reason.READ, "", generation, loop.now())
        : Condition.ofFalse(
            ConditionType.CONFIG_VALID,
            Reason.UNREADABLE,
            String.join("; ", problems) + " (the previous configuration stays in force)",
            generation,
            loop.now());
  }

  private void report(String role, String message) {
    events.report(
        NAME, RoleConfig.KIND.key(role), Event.Type.WARNING, Reason.CONFIG_UNREADABLE, message);
  }
}
