package verwalter.controllers.deployment;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.State;
import verwalter.model.Event;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;
import verwalter.stores.engine.MemoryStore;

/** A node with a disk and a store, whose agent can crash. Checks the invariants at every step. */
final class ReleaseSite {
  static final String D1 = "sha256:" + "1".repeat(64);
  static final String D2 = "sha256:" + "2".repeat(64);
  static final String NODE = "n1";

  final VirtualWorld world;
  final FakeDisk disk = new FakeDisk();
  final MemoryStore store;
  final ReleaseInvariants invariants;
  private Loop loop;

  ReleaseSite(long seed) {
    world = new VirtualWorld(seed);
    store = new MemoryStore(world.clock(), world.uids());
    invariants = new ReleaseInvariants(store, disk, DeploymentLimits.DEFAULT.downloads());
    world.always(invariants::check);
    loop = start();
  }

  private Loop start() {
    disk.crash();
    var fresh = world.loop("deployment");
    var reconciler =
        new DeploymentReconciler(
            store,
            fresh,
            new FakeReleaseFiles(disk, fresh, world.random()),
            new Events(store, fresh, NODE),
            NODE,
            DeploymentLimits.DEFAULT);
    var controllers = new RunningControllers();
    controllers.start(fresh, reconciler.controller());
    controllers.start(fresh, reconciler.artifacts());
    return fresh;
  }

  /** Kills the agent and starts another one. */
  void crash() {
    world.kill(loop);
    loop = start();
  }

  /** The spec of a version. */
  static DeploymentRef.Spec spec(
      String role, String version, String source, Optional<String> digest) {
    return new DeploymentRef.Spec(role, NODE, version, "main", 1, 0, source, digest, false);
  }

  /** Creates a ref; returns its name. */
  String add(DeploymentRef.Spec spec) {
    return world
        .await(store.put(Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec)))
        .name();
  }

  String add(String role, String source, Optional<String> digest) {
    return add(spec(role, "1", source, digest));
  }

  void respecify(String name, DeploymentRef.Spec spec) {
    // Another write, of the finalizer for example, may come first.
    world.await(
        store
            .put(ref(name).withSpec(spec))
            .recover(conflict -> store.put(ref(name).withSpec(spec))));
  }

  void unpack(String name) {
    respecify(name, ref(name).spec().unpacked());
  }

  void delete(String name) {
    world.await(store.remove(ref(name)).recover(conflict -> store.remove(ref(name))));
  }

  Resource<DeploymentRef.Spec, DeploymentRef.Status> ref(String name) {
    return store.get(DeploymentRef.KIND, name).orElseThrow();
  }

  /** The key of the release of a ref with this name. */
  static String key(String name) {
    return name.substring(0, name.length() - NODE.length() - 1);
  }

  boolean exists(String name) {
    return store.get(DeploymentRef.KIND, name).isPresent();
  }

  DeploymentRef.Status status(String name) {
    return store
        .get(DeploymentRef.KIND, name)
        .flatMap(Resource::status)
        .orElse(DeploymentRef.Status.INITIAL);
  }

  Condition prepared(String name) {
    return Condition.find(status(name).conditions(), ConditionType.PREPARED).orElseThrow();
  }

  List<State> states(String name) {
    return invariants.states(ref(name).meta().uid());
  }

  Optional<Artifact.Status> artifact(String digest) {
    return store.get(Artifact.KIND, Artifact.name(digest, NODE)).flatMap(Resource::status);
  }

  boolean hasArtifact(String digest) {
    return store.get(Artifact.KIND, Artifact.name(digest, NODE)).isPresent();
  }

  boolean isArtifactEnding() {
    return store.list(Artifact.KIND).stream().anyMatch(it -> it.meta().deleting());
  }

  void until(String name, State state) {
    world.runUntil(() -> exists(name) && status(name).state() == state, Duration.ofMinutes(30));
  }

  void gone(String name) {
    world.runUntil(() -> !exists(name), Duration.ofMinutes(30));
  }

  /** The node gets a share of the schedule. */
  void schedule() {
    world.await(
        store.put(
            Resource.of(NodeSchedule.KIND, NODE, new NodeSchedule.Spec("schedule", Map.of()))));
  }

  /** A process group of the node runs this program. */
  Resource<ProcessGroup.Spec, ProcessGroup.Status> runs(String program) {
    return reports(1, ProcessGroup.State.RUNNING, program);
  }

  /** The supervisor reports a process of a group that it received in this generation. */
  Resource<ProcessGroup.Spec, ProcessGroup.Status> reports(
      long generation, ProcessGroup.State state, String program) {
    var processes = List.of(slot("web/web.0", state, program));
    return group(new ProcessGroup.Status(generation, 1, 1, processes, List.of()));
  }

  /** The supervisor reports a command that runs by time and is in this state. */
  Resource<ProcessGroup.Spec, ProcessGroup.Status> reportsCommand(ProcessGroup.State state) {
    var commands = List.of(slot("web/backup.0", state, "/bin/sh"));
    return group(
        new ProcessGroup.Status(1, 0, 0, List.of(), List.of(), Optional.empty(), commands));
  }

  private Resource<ProcessGroup.Spec, ProcessGroup.Status> group(ProcessGroup.Status status) {
    var spec = new ProcessGroup.Spec("web", NODE, "web", Map.of());
    return world.await(
        store.put(Resource.of(ProcessGroup.KIND, "web@" + NODE, spec).withStatus(status)));
  }

  private static ProcessGroup.Slot slot(String name, ProcessGroup.State state, String program) {
    return new ProcessGroup.Slot(
        name,
        state,
        program,
        Optional.of(7L),
        Optional.empty(),
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        List.of());
  }

  /** Creates files that name this directory. */
  Resource<TemplateOutput.Spec, TemplateOutput.Status> uses(String path) {
    var spec = new TemplateOutput.Spec("web", NODE, "web", Map.of("path", path));
    return world.await(store.put(Resource.of(TemplateOutput.KIND, "web@" + NODE, spec)));
  }

  /** A ref is gone without being removed, as after the loss of the store. */
  void vanish(String name) {
    invariants.allowOrphans();
    var bare = ref(name).meta().withFinalizers(List.of());
    world.await(store.put(ref(name).withMeta(bare)).compose(store::remove));
  }

  /** Requests a comparison of the files. */
  void verify(String name, long counter) {
    respecify(name, ref(name).spec().withVerifyCounter(Optional.of(counter)));
  }

  Condition verified(String name) {
    return Condition.find(status(name).conditions(), ConditionType.VERIFIED).orElseThrow();
  }

  /** The events about a ref: type, reason and message, the oldest first. */
  List<String> events(String name) {
    return store.list(Event.KIND).stream()
        .map(Resource::spec)
        .filter(it -> it.regarding().name().equals(name))
        .sorted(Comparator.comparing(Event.Spec::first))
        .map(it -> it.type() + " " + it.reason() + " " + it.message())
        .toList();
  }

  void settle() {
    world.runFor(Duration.ofSeconds(30));
  }

  long begun(String work) {
    return disk.history.stream().filter(work::equals).count();
  }
}
