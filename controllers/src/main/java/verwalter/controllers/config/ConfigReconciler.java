package verwalter.controllers.config;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
import verwalter.model.ConfigHashes;
import verwalter.model.Configuration;
import verwalter.model.Event;
import verwalter.model.Metadata;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.Rollout;
import verwalter.model.service.ServiceRevisions;
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

  /**
   * A cluster, whose settings outlive a leader.
   *
   * @param node the name of this node
   * @param hashes computes the hashes of the settings in this node's directory; may block
   * @param scheduler reads the scheduler's files in this node's directory
   */
  public record Cluster(
      SettingsAuthority authority,
      String node,
      Supplier<ConfigHashes> hashes,
      SchedulerFiles scheduler) {}

  /** The settings in the directory of this node. */
  private record Own(ConfigHashes hashes, SchedulerFiles.Packed scheduler) {}

  /** The contents of the directory of this node; {@code own} is empty without a cluster. */
  private record Reading(RuntimeReading roles, Optional<Own> own) {}

  private final ObjectStore store;
  private final Loop loop;
  private final Runtime runtime;
  private final Optional<Cluster> cluster;
  private final Events events;
  private Runnable schedulerTaken = () -> {};

  /** The settings of this directory when the term began; empty until it was read. */
  private Optional<String> held = Optional.empty();

  private boolean taken;
  private final Map<String, Part> parts = new TreeMap<>();
  private Consumer<ResourceKey> keys = key -> {};
  private Optional<Runnable> afterFirst = Optional.empty();
  private Set<String> changing = Set.of();

  /** Creates a reconciler of a node without a cluster. */
  public ConfigReconciler(ObjectStore store, Loop loop, Runtime runtime, Events events) {
    this(store, loop, runtime, Optional.empty(), events);
  }

  /** Creates a reconciler for one term of a leader. */
  public ConfigReconciler(
      ObjectStore store, Loop loop, Runtime runtime, Optional<Cluster> cluster, Events events) {
    this.store = store;
    this.loop = loop;
    this.runtime = runtime;
    this.cluster = cluster;
    this.events = events;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .from(Source.once(KEY))
        .watching(store, RoleConfig.KIND, this::key)
        .watching(store, Configuration.KIND, any -> Stream.of(KEY))
        .from(
            (on, report) -> {
              keys = report;
              return () -> {};
            });
  }

  /** Names the key unless only a condition changed that others write. */
  private Stream<ResourceKey> key(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    var now = store.get(RoleConfig.KIND, role.name()).map(Part::of);
    var before = Optional.ofNullable(parts.get(role.name()));
    now.ifPresentOrElse(part -> parts.put(role.name(), part), () -> parts.remove(role.name()));
    return now.equals(before) ? Stream.empty() : Stream.of(KEY);
  }

  /** The part of a role that this reconciler writes, or whose change it answers. */
  private record Part(Metadata meta, Optional<RoleConfig.Status> status) {
    static Part of(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
      return new Part(
          role.meta().withVersion(0),
          role.status()
              .map(
                  status ->
                      status.withConditions(
                          status.conditions().stream()
                              .filter(it -> it.is(ConditionType.CONFIG_VALID))
                              .toList())));
    }
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
    return loop.offload(this::read)
        .compose(this::apply, this::unknown)
        .onComplete(
            read -> {
              afterFirst.ifPresent(Runnable::run);
              afterFirst = Optional.empty();
            });
  }

  private Reading read() throws IOException {
    return new Reading(
        UnusableNames.named(runtime.read()),
        cluster.map(its -> new Own(its.hashes().get(), its.scheduler().read())));
  }

  private Future<Result> apply(Reading reading) {
    if (cluster.isEmpty() || reading.own().isEmpty()) {
      return commit(writes(reading.roles()));
    }
    var own = reading.own().get();
    var current = store.get(Configuration.KIND, Configuration.CURRENT);
    var inForce = current.flatMap(Resource::status);
    var settings = own.hashes().settings();
    if (!taken && held.isEmpty()) {
      held = Optional.of(settings);
    }
    boolean takes =
        taken
            || cluster
                .get()
                .authority()
                .takes(
                    settings,
                    held.orElse(""),
                    inForce,
                    current.flatMap(it -> it.spec().accepted()));
    return takes
        ? take(cluster.get(), reading.roles(), own, current)
        : commit(
            both(
                configuration(current, withheld(cluster.get(), own, inForce.orElseThrow())),
                applied(Set.of())));
  }

  /** Makes the settings of this node's directory those of the cluster. */
  private Future<Result> take(
      Cluster its,
      RuntimeReading roles,
      Own own,
      Optional<Resource<Configuration.Spec, Configuration.Status>> current) {
    taken = true;
    var before = current.flatMap(Resource::status);
    boolean same = before.filter(it -> it.settings().equals(own.hashes().settings())).isPresent();
    var next =
        new Configuration.Status(
            1,
            same ? before.orElseThrow().node() : its.node(),
            own.hashes().settings(),
            own.hashes().parts(),
            own.scheduler().hash(),
            StoredScheduler.pieces(own.scheduler()),
            List.of(
                Condition.ofTrue(
                    ConditionType.CONFIG_IN_FORCE, Reason.IN_FORCE, "", 1, loop.now())));
    return StoredScheduler.write(store, own.scheduler())
        .compose(
            written -> {
              var writes = new ArrayList<>(writes(roles));
              writes.addAll(configuration(current, next));
              return commit(writes);
            })
        .compose(
            done -> {
              if (!same) {
                announce(before, next);
              }
              if (before.filter(it -> it.scheduler().equals(next.scheduler())).isEmpty()) {
                schedulerTaken.run();
              }
              return commit(StoredScheduler.removals(store, next.scheduler()));
            });
  }

  private void announce(Optional<Configuration.Status> before, Configuration.Status next) {
    events.report(
        NAME,
        Configuration.KIND.key(Configuration.CURRENT),
        Event.Type.NORMAL,
        Reason.CONFIG_TAKEN,
        "the settings of %s are in force%s"
            .formatted(
                next.node(),
                before
                    .map(it -> "; changed: " + PartsText.of(next.parts(), it.parts()))
                    .orElse("")));
  }

  /** The same configuration with the reason why that of this node is not taken. */
  private Configuration.Status withheld(Cluster its, Own own, Configuration.Status inForce) {
    var condition =
        Condition.ofFalse(
            ConditionType.CONFIG_IN_FORCE,
            Reason.NOT_ACCEPTED,
            ("the directory of the leader %s differs from the configuration in force, which was"
                    + " read from %s: %s; nothing is taken from it until it changes or is accepted:"
                    + " vw config accept %s")
                .formatted(
                    its.node(),
                    inForce.node(),
                    PartsText.of(own.hashes().parts(), inForce.parts()),
                    its.node()),
            1,
            loop.now());
    return new Configuration.Status(
        1,
        inForce.node(),
        inForce.settings(),
        inForce.parts(),
        inForce.scheduler(),
        inForce.pieces(),
        Condition.put(inForce.conditions(), condition));
  }

  /** Writes the status of the configuration, and creates it; nothing if it stays the same. */
  private static List<Write> configuration(
      Optional<Resource<Configuration.Spec, Configuration.Status>> current,
      Configuration.Status next) {
    if (current.isEmpty()) {
      return List.of(
          new Write.Put(
              Resource.of(Configuration.KIND, Configuration.CURRENT, Configuration.Spec.NONE)
                  .withStatus(next)));
    }
    var before = current.get();
    var generation = before.meta().generation();
    var conditions = before.status().map(Configuration.Status::conditions).orElse(List.of());
    for (var condition : next.conditions()) {
      conditions = Condition.put(conditions, condition.about(generation));
    }
    var status =
        new Configuration.Status(
            generation,
            next.node(),
            next.settings(),
            next.parts(),
            next.scheduler(),
            next.pieces(),
            conditions);
    return before.status().filter(status::equals).isPresent()
        ? List.of()
        : List.of(new Write.PutStatus(before.withStatus(status)));
  }

  private Future<Result> commit(List<Write> writes) {
    return writes.isEmpty()
        ? Future.succeededFuture(Result.DONE)
        : store.commit(writes).map(Result.DONE);
  }

  /** Says in each role of the files that they are unknown. The roles stay as they are. */
  private Future<Result> unknown(Throwable failure) {
    var writes = new ArrayList<Write>();
    store.list(RoleConfig.KIND).stream()
        .filter(role -> RoleConfig.file(role).isPresent())
        .forEach(role -> writes.addAll(unknown(role, why(failure, role))));
    writes.addAll(applied(Set.of()));
    return commit(writes).compose(done -> Future.failedFuture(failure));
  }

  /** Why the directory of a role could not be read. */
  private static String why(Throwable failure, Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    return failure instanceof UnreadableConfig unreadable
        ? RoleConfig.file(role).map(ConfigReconciler::directory).map(unreadable::reason).orElse("")
        : String.valueOf(failure.getMessage());
  }

  /** The directory that a file of roles is in. */
  private static String directory(String file) {
    return file.substring(0, file.indexOf('/'));
  }

  /** Says that the files of a role are unknown; nothing if its status says so already. */
  private List<Write> unknown(Resource<RoleConfig.Spec, RoleConfig.Status> role, String why) {
    if (role.status().isEmpty()) {
      return List.of();
    }
    var status = role.status().get();
    var condition =
        Condition.ofUnknown(
            ConditionType.CONFIG_VALID,
            Reason.DIRECTORY_UNKNOWN,
            why + stays(role.spec()),
            role.meta().generation(),
            loop.now());
    var next =
        new RoleConfig.Status(
            status.observedGeneration(),
            status.versions(),
            Condition.put(status.conditions(), condition));
    return next.equals(status) ? List.of() : List.of(new Write.PutStatus(role.withStatus(next)));
  }

  /**
   * Writes the statuses of roles that did not come from files. They do not depend on the directory.
   *
   * @param except roles of the files, which may have had no files before
   */
  private List<Write> applied(Set<String> except) {
    var writes = new ArrayList<Write>();
    for (var role : store.list(RoleConfig.KIND)) {
      if (RoleConfig.file(role).isEmpty()
          && !except.contains(role.name())
          && !role.meta().deleting()) {
        var conditions = role.status().map(RoleConfig.Status::conditions).orElse(List.of());
        var next =
            new RoleConfig.Status(role.meta().generation(), versions(role.spec()), conditions);
        if (role.status().filter(next::equals).isEmpty()) {
          writes.add(new Write.PutStatus(role.withStatus(next)));
        }
      }
    }
    return writes;
  }

  private static List<Write> both(List<Write> one, List<Write> other) {
    return Stream.of(one, other).flatMap(List::stream).toList();
  }

  private static List<String> versions(RoleConfig.Spec spec) {
    return spec.versions().keySet().stream().sorted(VersionOrder.OLDEST_FIRST).toList();
  }

  /** Runs {@code next} after the first attempt to read the files, successful or not. */
  public void afterFirstReading(Runnable next) {
    afterFirst = Optional.of(next);
  }

  /** Runs {@code next} after the scheduler in force was replaced by that of this node. */
  public void afterSchedulerTaken(Runnable next) {
    schedulerTaken = next;
  }

  private List<Write> writes(RuntimeReading reading) {
    var present = new TreeMap<String, Resource<RoleConfig.Spec, RoleConfig.Status>>();
    store.list(RoleConfig.KIND).forEach(each -> present.put(each.name(), each));
    var used = Rollout.used(store.list(Rollout.KIND));
    var writes = new ArrayList<Write>();
    var names = new TreeSet<>(reading.roles().keySet());
    names.addAll(reading.services().keySet());
    names.addAll(reading.problems().keySet());
    names.removeAll(changing);
    for (var name : names) {
      writes.addAll(role(reading, name, present.get(name), used));
    }
    present.values().stream()
        .filter(each -> !names.contains(each.name()) && !changing.contains(each.name()))
        .filter(each -> RoleConfig.file(each).isPresent())
        .filter(each -> unknown(reading, each).isEmpty())
        .filter(each -> !each.meta().deleting())
        .forEach(each -> writes.add(new Write.Remove(each)));
    for (var each : present.values()) {
      if (!names.contains(each.name())) {
        unknown(reading, each).ifPresent(why -> writes.addAll(unknown(each, why)));
      }
    }
    writes.addAll(applied(names));
    return writes;
  }

  /** Why the directory of a role could not be read; empty if it was read. */
  private static Optional<String> unknown(
      RuntimeReading reading, Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    return RoleConfig.file(role).map(ConfigReconciler::directory).map(reading.unknown()::get);
  }

  private List<Write> role(
      RuntimeReading reading,
      String name,
      @Nullable Resource<RoleConfig.Spec, RoleConfig.Status> present,
      Map<String, Set<String>> used) {
    var problems = reading.problems().getOrDefault(name, List.of());
    var before =
        present != null ? present : Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.UNREAD);
    var spec = problems.isEmpty() ? spec(reading, name, before, used) : before.spec();
    var origin = origin(reading, name, before);
    boolean sameSpec = present != null && spec.equals(present.spec());
    var generation = before.meta().generation() + (sameSpec ? 0 : 1);
    var conditions = before.status().map(RoleConfig.Status::conditions).orElse(List.of());
    var next =
        before
            .withSpec(spec)
            .withMeta(
                before
                    .meta()
                    .withLabels(labels(before.meta().labels(), origin))
                    .withAnnotations(
                        HeldIntents.after(before.meta().annotations(), before.spec(), spec)))
            .withStatus(
                new RoleConfig.Status(
                    generation,
                    versions(spec),
                    Condition.put(conditions, valid(problems, spec, generation))));
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

  private RoleConfig.Spec spec(
      RuntimeReading reading,
      String name,
      Resource<RoleConfig.Spec, RoleConfig.Status> before,
      Map<String, Set<String>> used) {
    var service = reading.services().get(name);
    long restarts = RoleIntent.of(before).restarts().orElse(0L);
    return service != null
        ? ServiceRevisions.next(
            before.spec(), service, restarts, used.getOrDefault(name, Set.of()), loop.now())
        : RoleConfig.Spec.of(Objects.requireNonNull(reading.roles().get(name)));
  }

  /**
   * Where the role is read from. If it cannot be read, as before; a role that has never been read
   * belongs to the file that names it, so that it ends with this file.
   */
  private static String origin(
      RuntimeReading reading, String name, Resource<RoleConfig.Spec, RoleConfig.Status> before) {
    if (reading.services().containsKey(name)) {
      return RoleConfig.ROLE_FILE;
    }
    if (reading.roles().containsKey(name)) {
      return RoleConfig.CONFIG_DIRECTORY;
    }
    if (before.spec().equals(RoleConfig.Spec.UNREAD) && reading.files().contains(name)) {
      return RoleConfig.ROLE_FILE;
    }
    return before.meta().labels().getOrDefault(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY);
  }

  /** The labels that operators set, and the one that marks a role of the files. */
  private static Map<String, String> labels(Map<String, String> present, String origin) {
    var labels = new TreeMap<>(present);
    labels.put(RoleConfig.ORIGIN, origin);
    return labels;
  }

  private Condition valid(List<String> problems, RoleConfig.Spec spec, long generation) {
    return problems.isEmpty()
        ? Condition.ofTrue(ConditionType.CONFIG_VALID, Reason.READ, "", generation, loop.now())
        : Condition.ofFalse(
            ConditionType.CONFIG_VALID,
            Reason.UNREADABLE,
            String.join("; ", problems) + stays(spec),
            generation,
            loop.now());
  }

  /** Says that a configuration stays in force, if there is one. */
  private static String stays(RoleConfig.Spec spec) {
    return spec.equals(RoleConfig.Spec.UNREAD)
        ? ""
        : " (the previous configuration stays in force)";
  }

  private void report(String role, String message) {
    events.report(
        NAME, RoleConfig.KIND.key(role), Event.Type.WARNING, Reason.CONFIG_UNREADABLE, message);
  }
}
